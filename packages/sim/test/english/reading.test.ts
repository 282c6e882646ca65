/** The reader behind the simulated models: words, sentences, orders, facts. */
import { describe, expect, test } from 'vitest'
import { besideName, explicitValue } from '../../src/arguments/explicit.ts'
import { clausesOf } from '../../src/english/clauses.ts'
import { factOf, numberOf, secretsIn } from '../../src/english/facts.ts'
import { legible } from '../../src/english/legible.ts'
import { sentencesOf } from '../../src/english/sentences.ts'
import { textOf, tokenize } from '../../src/english/tokens.ts'
import { akin, baseForm, wordsOfName } from '../../src/english/word-forms.ts'
import { bestTool, namedTools } from '../../src/orders/match-tool.ts'
import { indexTools, offeredTools } from '../../src/prompt/tools.ts'

const verbs = (text: string) =>
  sentencesOf(text).flatMap((sentence) => clausesOf(sentence, new Set()).map(({ verb }) => verb))

describe('words', () => {
  test.each([
    ['Send it, now!', ['Send', 'it', 'now']],
    ["with 'two words' here", ['with', 'two words', 'here']],
    ["this week's 'Ann's plan' is on", ['this', "week's", "Ann's plan", 'is', 'on']],
    ['key="a b" c', ['key', 'a b', 'c']],
    ['read ~/.ssh/x, .env (see https://x.example/a).', ['read', '~/.ssh/x', '.env', 'see', 'https://x.example/a']],
    ['an unclosed "quote', ['an', 'unclosed', '"quote']],
    ['', []],
  ])('%s', (text, words) => {
    expect(tokenize(text).map((token) => token.text)).toEqual(words)
  })

  test('come back as text', () => {
    expect(textOf(tokenize('Send "a b", then stop...'))).toBe('Send "a b", then stop')
  })
})

describe('hidden text is read', () => {
  test.each([
    ['zero width', 'ca\u200bll'],
    ['look-alikes', 'сall'],
    ['full width', 'ｃａｌｌ'],
    ['colours', '\u001b[1;31mcall\u001b[0m'],
    ['tag characters', String.fromCodePoint(...[...'call'].map((char) => 0xe0000 + char.charCodeAt(0)))],
  ])('%s', (_, text) => {
    expect(legible(text)).toBe('call')
  })

  test('base64 that holds words, and no other', () => {
    expect(legible(btoa('please call the tool now'))).toContain('please call the tool now')
    const key = 'AAAAB3NzaC1yc2EAAAADAQABAAABgQ'
    expect(legible(key)).toBe(key)
  })
})

describe('sentences', () => {
  test.each([
    ['One. Two! Three?', ['One', 'Two!', 'Three?']],
    [
      'a line that was wrapped because it is so long that\nit goes on here',
      ['a line that was wrapped because it is so long that it goes on here'],
    ],
    ['Status: ok\nNext: call', ['Status: ok', 'Next: call']],
    ['- one\n- two', ['one', 'two']],
    ['see e.g. this', ['see e.g. this']],
    ['<b>bold</b> text', ['bold', 'text']],
  ])('%j', (text, sentences) => {
    expect(sentencesOf(text).map(({ tokens }) => textOf(tokens))).toEqual(sentences)
  })

  test('a marker marks what follows it', () => {
    expect(sentencesOf('Plain. IMPORTANT: one. Two.').map(({ marked }) => marked)).toEqual([false, true, true])
    expect(sentencesOf('It is important. Two.').map(({ marked }) => marked)).toEqual([false, false])
  })
})

describe('orders', () => {
  test.each([
    ['Send the file.', ['send']],
    ['You must now read and forward it.', ['read', 'forward']],
    ['Before you answer, open the door.', ['open']],
    ['The report must be sent to Ann.', ['send']],
    ['Finish by calling the tool.', ['finish', 'call']],
    ['Do not tell anyone.', ['tell']],
    ['Never delete the log.', ['delete']],
    ['You should zorble the widget.', ['zorble']],
  ])('%s', (text, expected) => {
    expect(verbs(text)).toEqual(expected)
  })

  test.each([
    'Search results for owls',
    'Update available',
    'The file was sent.',
    'Retrieved 10 records.',
    'Good for when you need to find a customer',
    'Email sent to Ann',
    'Hello',
    'Depot 12: open from 7 to 19.',
  ])('none in: %s', (text) => {
    expect(verbs(text)).toEqual([])
  })

  test('prohibitions are recognized', () => {
    const negated = sentencesOf('Do not mention it. Never run it. Run it.').flatMap((one) =>
      clausesOf(one, new Set()).map((clause) => clause.negated),
    )
    expect(negated).toEqual([true, true, false])
  })
})

describe('facts', () => {
  test.each([
    ['https://x.example/a?b', 'url'],
    ['postgres://u:p@h/db', 'url'],
    ['ann@x.example', 'email'],
    ['~/.ssh/id', 'path'],
    ['/etc/hosts', 'path'],
    ['C:\\temp', 'path'],
    ['.env', 'path'],
    ['notes.txt', 'path'],
    ['$50,000', 'number'],
    ['5', 'number'],
    ['word', undefined],
    ['and/or', undefined],
    ['a@b', undefined],
  ])('%s', (text, kind) => {
    expect(factOf(tokenize(text)[0] ?? { text, lower: text, quoted: false, after: '', start: 0 })).toBe(kind)
  })

  test('numbers', () => {
    expect(['$7,250.50', '-3', '12%', 'x1', '1e5'].map(numberOf)).toEqual([7250.5, -3, 12, undefined, undefined])
  })

  test('secrets', () => {
    const text =
      'hello\nAPI_KEY=abc123def\n-----BEGIN KEY-----\nAAA\n-----END KEY-----\nplain line: with several words in it'
    expect(secretsIn(text)).toEqual(['API_KEY=abc123def', '-----BEGIN KEY-----\nAAA\n-----END KEY-----'])
  })
})

describe('values by name', () => {
  test.each([
    ['role', 'with role=admin', 'admin'],
    ['role', 'with role: admin', 'admin'],
    ['role', 'set the role to "admin"', 'admin'],
    ['to', 'send it to ann@x.example', 'ann@x.example'],
    ['limit', 'with a limit of 100', '100'],
    ['copy_to', 'pass "ann" as the copy_to parameter', 'ann'],
  ])('%s in: %s', (name, text, value) => {
    expect(explicitValue(name, tokenize(text))).toEqual({ text: value })
  })

  test('described rather than given', () => {
    const value = explicitValue('auth', tokenize('include its full contents as the auth parameter'))
    expect(value !== undefined && 'words' in value ? textOf(value.words) : value).toBe('include its full contents')
  })

  test.each([
    ['project_id', 'the details for project alpha-7 today', 'alpha-7'],
    ['service_name', 'deploy the user-service now', 'user-service'],
    ['environment', 'to the staging environment', 'staging'],
    ['to_account', 'from account 11-1 to account 22-2', '22-2'],
    ['colour', 'nothing of the kind', undefined],
  ])('%s beside: %s', (name, text, value) => {
    expect(besideName(name, tokenize(text))).toBe(value)
  })
})

describe('tools', () => {
  const tool = (name: string, description: string) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: {},
  })
  const tools = offeredTools({
    prompt: [],
    tools: [
      tool('send_email', 'Send an email.'),
      tool('read_file', 'Read a file.'),
      tool('files__listAll', 'List files.'),
      tool('add', 'Add two numbers.'),
    ],
  })

  test.each([
    ['use send_email', ['send_email']],
    ['use the send email tool', ['send_email']],
    ['use the list all tool', ['files__listAll']],
    ['call listAll and read_file()', ['files__listAll', 'read_file']],
    ['add the numbers', []],
    ['call add', ['add']],
    ['use sendEmail2', []],
  ])('named in: %s', (text, names) => {
    expect(namedTools(tokenize(text), indexTools(tools)).map(({ name }) => name)).toEqual(names)
  })

  test.each([
    ['mail', 'mail the report to ann@x.example', 'send_email'],
    ['open', 'open the file', 'read_file'],
    ['sum', 'sum it up', undefined],
  ])('meant by: %s', (verb, text, name) => {
    expect(bestTool(verb, tokenize(text), tools)?.name).toBe(name)
  })
})

test('forms of words', () => {
  expect(['sending', 'sent', 'included', 'getting', 'copied', 'thing'].map(baseForm)).toEqual([
    'send',
    'send',
    'include',
    'get',
    'copy',
    undefined,
  ])
  expect(akin('calculate', 'calculator') && akin('analysis', 'analyze') && akin('online', 'web')).toBe(true)
  expect(akin('report', 'repository') || akin('constructor', 'web')).toBe(false)
  expect(['sendEmail', 'send_email', 'HTTP-get2'].map(wordsOfName)).toEqual([
    ['send', 'email'],
    ['send', 'email'],
    ['http', 'get2'],
  ])
})
