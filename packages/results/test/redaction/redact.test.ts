import type { Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readResults, writeResults } from '../../src/format/read.ts'
import type { TraceEntry } from '../../src/model/trace-entry.ts'
import { redactEntry, redactingSink, redactMore } from '../../src/redaction/redact.ts'
import { createRedactor, type RedactOptions } from '../../src/redaction/redactor.ts'
import { anyEntry, anyText, anyValue, entry, nested } from '../support/entries.ts'
import { anyResults, attackOf, resultsOf, verdict } from '../support/results.ts'

function redactor(options: RedactOptions = {}) {
  const made = createRedactor(options)
  if (!made.ok) throw new Error(made.error.map(({ message }) => message).join('\n'))
  return made.value
}

const many = (unit: string, times: number) => unit.repeat(times)
// Assembled at run time, so that no scanner takes this file for a leak.
const secrets: readonly (readonly [string, string])[] = [
  ['aws-access-key-id', `AKIA${many('Q', 16)}`],
  ['aws-access-key-id', `ASIA${many('7', 16)}`],
  ['github-token', `ghp_${many('a1', 18)}`],
  ['github-token', `github_pat_${many('a1_', 12)}`],
  ['gitlab-token', `glpat-${many('a1', 10)}`],
  ['anthropic-key', `sk-ant-${many('a1-', 12)}`],
  ['openai-key', `sk-${many('a1', 12)}`],
  ['openai-key', `sk-proj-${many('a1_', 12)}`],
  ['google-api-key', `AIza${many('a', 35)}`],
  ['google-oauth-token', `ya29.${many('a', 30)}`],
  ['slack-token', `xoxb-${many('12', 8)}`],
  ['stripe-key', `sk_live_${many('a1', 10)}`],
  ['npm-token', `npm_${many('a', 36)}`],
  ['hugging-face-token', `hf_${many('a', 34)}`],
  ['json-web-token', `eyJ${many('a', 20)}.${many('b', 30)}.${many('c', 40)}`],
  ['private-key', `-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----`],
  ['private-key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\nMII\n-----END PGP PRIVATE KEY BLOCK-----`],
]

test.each(['hunter2~', 'canary>key?4f1d77'])('%s inside longer texts in base64', (secret) => {
  const { text } = redactor({ secrets: [secret] })
  for (const around of ['', 'a', 'ab', 'abc', 'user:', '{"key":"']) {
    const encoded = Buffer.from(`${around}${secret}${around}`)
    for (const alphabet of ['base64', 'base64url'] as const) {
      const hidden = text(`it is ${encoded.toString(alphabet)}.`)
      expect(hidden).toContain('[redacted: secret]')
      // A character at an edge also encodes part of the text around the secret, so it may stay.
      const left = hidden.slice(6, -1).split('[redacted: secret]')
      for (const part of left) expect(part.length).toBeLessThanOrEqual(Math.ceil((around.length * 8) / 6) + 3)
    }
  }
})

test('a secret in hexadecimal and reversed', () => {
  const { text } = redactor({ secrets: ['zq81-Tok3n'] })
  const hex = Buffer.from('zq81-Tok3n').toString('hex')
  for (const spelled of [hex, hex.toUpperCase(), 'n3koT-18qz'])
    expect(text(`"${spelled}"`)).toBe('"[redacted: secret]"')
})

test('a secret that is cut at an end of a text', () => {
  const { text } = redactor({ secrets: ['zq81-Tok3n-value'] })
  expect(text('key zq81-Tok3n…')).toBe('key [redacted: secret]…')
  expect(text('…Tok3n-value is it')).toBe('…[redacted: secret] is it')
  expect(text('…a quiz…')).toBe('…a quiz…')
})

test('a secret with an escape sequence inside an escaped text', () => {
  const secret = 'p%40ss/word'
  const { text } = redactor({ secrets: [secret] })
  for (const spelled of [secret, 'p%40ss\\/word', 'p%40ss%2Fword', encodeURIComponent(secret)])
    expect(text(`"a\\n ${spelled}"`)).toBe('"a\\n [redacted: secret]"')
})

describe('known shapes', () => {
  test.each(secrets)('%s', (kind, secret) => {
    const { text } = redactor()
    expect(text(secret)).toBe(`[redacted: ${kind}]`)
    expect(text(`key="${secret}", and then`)).toBe(`key="[redacted: ${kind}]", and then`)
    expect(text(text(secret))).toBe(text(secret))
  })

  test.each([
    ['Authorization: Bearer abcdef1234', 'Authorization: Bearer [redacted: bearer-token]'],
    ['authorization: basic dXNlcjpwYXNz', 'authorization: basic [redacted: authorization]'],
    ['postgres://me:hunter2@db/x', 'postgres://me:[redacted: url-password]@db/x'],
    [
      `https://hooks.slack.com/services/T00/B00/${many('x', 24)}`,
      'https://hooks.slack.com/services/[redacted: slack-webhook]',
    ],
    ['-----BEGIN PRIVATE KEY-----\ncut of', '[redacted: private-key]'],
  ])('%s', (text, expected) => {
    expect(redactor().text(text)).toBe(expected)
  })

  test.each([
    'Basic instructions for the bearer of this letter',
    'risk-assessment-of-the-whole-plan',
    'sk-learn-is-a-library-for-machines',
    'see http://example.org:8080/a@b and mail@example.org',
    'AKIAshort, ghp_short, eyJ.eyJ.eyJ',
    '127.0.0.1:40123 traces/1.jsonl 2026-01-01T00:00:00.000Z',
  ])('%s stays', (text) => {
    expect(redactor().text(text)).toBe(text)
  })

  test('hostile texts take linear time', () => {
    const { text } = redactor()
    for (const unit of [
      '-eyJ',
      'sk-',
      'eyJaaaaaaaa.',
      '-----BEGIN PRIVATE KEY-----',
      '://a:',
      'bearer ',
      'AKIA',
      '://',
    ]) {
      const hostile = many(unit, 300_000)
      expect(text(hostile).length).toBeLessThanOrEqual(hostile.length * 10)
    }
  })

  test('can be disabled', () => {
    expect(redactor({ shapes: false }).text(secrets[0]?.[1] ?? '')).toBe(secrets[0]?.[1])
  })
})

describe('patterns', () => {
  test('every match, on RE2', () => {
    const { text } = redactor({ patterns: ['[0-9]{4}', 'in\\b'] })
    expect(text('pin 1234 and 5678 inn')).toBe('p[redacted: pattern] [redacted: pattern] and [redacted: pattern] inn')
    expect(redactor({ patterns: ['^a'] }).text('aaa')).toBe('[redacted: pattern]aa')
    expect(redactor({ patterns: ['x*'] }).text('axxb')).toBe('a[redacted: pattern]b')
  })

  test('overlaps become one', () => {
    const key = `AKIA${many('Q', 16)}`
    expect(redactor({ patterns: ['my .{8}'] }).text(`my ${key}!`)).toBe('[redacted: pattern]!')
  })

  test('an invalid RE2 pattern is a finding', () => {
    expect(createRedactor({ patterns: ['(?=a)', 'ok', '('] })).toMatchObject({
      ok: false,
      error: [{ code: 'pattern-malformed', message: expect.stringContaining('(?=a)') }, { code: 'pattern-malformed' }],
    })
  })

  test('a text beyond the work limit is redacted to its end', () => {
    const { text } = redactor({ patterns: ['a.*Z|a'] })
    const redacted = text(many('a', 200_000))
    expect(redacted).toMatch(/\[redacted: unchecked\]$/)
    expect(redacted).not.toMatch(/aa/)
  })
})

describe('values', () => {
  test('keys, numbers and depth', () => {
    const { value } = redactor({ patterns: ['^[0-9]{4}$', 'secret'] })
    expect(value({ pin: 1234, year: 20, list: ['a secret', null, true], 'secret 1': 1, 'secret 2': 2 })).toEqual({
      pin: '[redacted: pattern]',
      year: 20,
      list: ['a [redacted: pattern]', null, true],
      '[redacted: pattern] 1': 1,
      '[redacted: pattern] 2': 2,
    })
    expect(Object.keys(value({ 1000: 'a', 2000: 'b' }) as object)).toHaveLength(2)
    expect(() => value(nested(100_000))).not.toThrow()
  })

  test('a value without secrets is unchanged', () => {
    fc.assert(fc.property(anyValue, (value) => void expect(redactor({ shapes: false }).value(value)).toEqual(value)))
  })

  test('no secret remains, and the result is JSON', () => {
    const secret = `AKIA${many('Q', 16)}`
    const somewhere = fc.oneof(anyText, fc.constant(`x ${secret}`))
    const values = fc.letrec<{ value: Value }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        somewhere,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(somewhere, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).value
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(redactor().value(value))
        expect(text).not.toContain(secret)
        JSON.parse(text)
      }),
    )
  })
})

describe('traces', () => {
  test('identifying fields are unchanged by any pattern', () => {
    fc.assert(
      fc.property(anyEntry, (one) => {
        const { content, request, session, malformed, redacted, derived, ...kept } = redactEntry(
          one,
          redactor({ patterns: ['(?s).+'] }),
        )
        expect(one).toMatchObject(kept)
        expect(Object.keys(kept)).toHaveLength(10)
      }),
    )
  })

  test('a sink redacts before it writes', () => {
    const written: TraceEntry[] = []
    const sink = redactingSink(
      { write: (one) => written.push(one), fault: () => undefined },
      redactor({ patterns: ['hunter2'] }),
    )
    sink.write(entry({ content: { password: 'hunter2' }, session: 'hunter2', malformed: 'hunter2' }))
    expect(JSON.stringify(written)).not.toContain('hunter2')
    expect(sink.fault()).toBeUndefined()
  })
})

describe('results', () => {
  test('remain valid with any pattern', () => {
    fc.assert(
      fc.property(anyResults, (results) => {
        expect(readResults(writeResults(redactMore(results, redactor({ patterns: ['(?s).+'] })))).ok).toBe(true)
      }),
    )
  })

  test('reasons, evidence, diagnostics and wiring are redacted, and spans adjusted', () => {
    const match = { path: 'hunter2.x', value: 'say hunter2 and open up', span: { start: 16, end: 20 }, offset: 3 }
    const inside = { path: 'x', value: 'say hunter2 now', span: { start: 6, end: 9 } }
    const found = [match, inside].map((one, index) => ({
      indicator_id: `${index}`,
      result: 'matched' as const,
      evidence: 'hunter2',
      match: one,
    }))
    const attack = attackOf('a', 'e')
    const trials = attack.trials.map((trial) => ({
      ...trial,
      reasons: ['the model said hunter2'],
      answer: 'hunter2',
      verdict: { ...verdict('exploited'), indicator_verdicts: found },
      task: { ...verdict('exploited'), indicator_verdicts: found },
      wiring: ['agent -> hunter2'],
      approvals: [{ request: 'hunter2?', approved: true }],
      diagnostics: [{ severity: 'warning' as const, code: 'log', message: 'hunter2' }],
    }))
    const unrun = { ...attackOf('b', ''), reasons: ['hunter2 is not a document'] }
    const results = redactMore(
      resultsOf([{ ...attack, reasons: trials[0]?.reasons ?? [], trials }, unrun]),
      redactor({ patterns: ['hunter2'] }),
    )
    expect(writeResults(results)).not.toContain('hunter2')
    const [first, second] = results.targets[0]?.attacks[0]?.trials[0]?.verdict.indicator_verdicts ?? []
    const shown = (one = first) => one?.match?.value.slice(one.match.span?.start, one.match.span?.end)
    expect(shown(first)).toBe('open')
    expect(first?.match?.offset).toBe(3)
    expect(shown(second)).toBe('[redacted: pattern]')
    expect(results.targets[0]?.attacks.map(({ reasons }) => reasons)).toEqual([
      ['the model said [redacted: pattern]'],
      ['[redacted: pattern] is not a document'],
    ])
  })
})
