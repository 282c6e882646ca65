import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../../src/main.ts'
import { exitCodes } from '../../../src/terminal/exit-codes.ts'
import { agentText, greeter, teamText } from '../../agents.ts'
import { folder, joust, memoryIo, type Outcome } from '../../world.ts'

const chat = (cwd: string, stdin: string, ...argv: string[]) =>
  joust(['agent', 'chat', 'a.agf.yaml', ...argv], { cwd, stdin })

/** A script that answers with the number of the model call. */
const script = (...answers: string[]) => ({
  'a.agf.yaml': agentText().replace('sim/cautious', 'sim/scripted'),
  'script.yaml': answers.map((text) => `- text: ${text}\n`).join(''),
})

test('each line is a turn, and the model gets the turns before it', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { code, stdout } = await chat(cwd, 'tea\n\ncake\n', '--events', 'e.jsonl')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '[simulated cautious answer]\nRegarding: tea\n[simulated cautious answer]\nRegarding: cake\n',
  })
  const tokens = [...readFileSync(join(cwd, 'e.jsonl'), 'utf8').matchAll(/"model-answered".*?"inputTokens":(\d+)/g)]
  const [first = 0, second = 0] = tokens.map(([, count]) => Number(count))
  expect(second).toBeGreaterThan(first)
})

/** The input tokens of each model call. */
function tokensIn(file: string): number[] {
  return [...readFileSync(file, 'utf8').matchAll(/"model-answered".*?"inputTokens":(\d+)/g)].map(([, count]) =>
    Number(count),
  )
}

test.each([
  ['that is not bound', ''],
  ['of the process', 'bindings: { memory: process }\n'],
  ['in a file', 'bindings: { memory: { file: memory.jsonl } }\n'],
])('with a memory %s, the model gets each earlier turn once, also after --resume', async (_, config) => {
  const files = { 'a.agf.yaml': `${agentText()}memory: {}\n`, ...(config !== '' && { 'joust.yaml': config }) }
  const cwd = folder(files)
  const plain = folder({ 'a.agf.yaml': agentText() })
  for (const [at, ...memory] of [[cwd, '--memory', 'ada'], [plain]] as const) {
    await chat(at, 'tea\n', '--resume', 'my.chat', ...memory, '--events', '1.jsonl')
    await chat(at, 'tea\ncake\n', '--resume', 'my.chat', ...memory, '--events', '2.jsonl')
  }
  expect(tokensIn(join(cwd, '2.jsonl'))).toEqual(tokensIn(join(plain, '2.jsonl')))
})

test('a question is answered before the next line arrives', async () => {
  const cwd = folder({ 'a.agf.yaml': agentText() })
  const { io, stdout } = memoryIo({ cwd })
  const seen: string[] = []
  const stdinParts = async function* () {
    for (const line of ['te', 'a\n', 'cake\n']) {
      seen.push(stdout.join(''))
      yield new TextEncoder().encode(line)
    }
  }
  expect(await run(['agent', 'chat', 'a.agf.yaml'], { ...io, stdinParts })).toBe(0)
  expect(seen.map((text) => text.includes('Regarding: tea'))).toEqual([false, false, true])
})

test('a warning starts on a new line', async () => {
  const server = createServer((request, response) => {
    request.resume()
    const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'four' }, finish_reason: 'stop' }]
    response.setHeader('content-type', 'text/event-stream')
    response.end(`data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: [DONE]\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server on a port has this kind of address.
  const { port } = server.address() as AddressInfo
  const config = `bindings: { models: { sim/cautious: { base_url: "http://127.0.0.1:${port}/", model: m } } }\n`
  const { io } = memoryIo({ cwd: folder({ 'a.agf.yaml': agentText(), 'joust.yaml': config }), stdin: 'code\n' })
  let shown = ''
  const output = (one: typeof io.stdout) => ({
    ...one,
    write: (text: string) => {
      shown += text
    },
  })
  await run(['agent', 'chat', 'a.agf.yaml'], { ...io, stdout: output(io.stdout), stderr: output(io.stderr) })
  expect(shown).toContain('four\nhelper  warning: ')
})

test('an answer with a single text is streamed as text', async () => {
  const cwd = folder({
    'a.agf.yaml': agentText({
      output: '{ type: object, properties: { response: { type: string } }, required: [response] }',
    }).replace('sim/cautious', 'sim/scripted'),
    'script.yaml': `- text: '{"response":"One, two and \\"three\\"."}'\n`,
  })
  const { io, stdout } = memoryIo({ cwd, stdin: 'count\n' })
  expect(await run(['agent', 'chat', 'a.agf.yaml', '--script', 'script.yaml'], io)).toBe(0)
  expect(stdout.join('')).toBe('One, two and "three".\n')
  expect(stdout.filter((part) => part !== '').length).toBeGreaterThan(2)
})

test('a denied answer is not shown', async () => {
  const cwd = folder({
    'a.agf.yaml': `${agentText()}constraints: { governance_policies: [{ policy_ref: org.p }] }\n`,
    'joust.yaml': 'bindings: { governance: { folder: policies } }\n',
    'policies/org.p.yaml': 'guardrails: [{ name: cards, deny: "[0-9]{4}", stages: [output] }]\n',
  })
  const { code, stdout, stderr } = await chat(cwd, 'Is it 1234?\ntea\n')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '[simulated cautious answer]\nRegarding: tea\n' })
  expect(stderr).toContain('guardrail_denied')
})

test('a team passes the turns on to its agents', async () => {
  const cwd = folder({ 'a.agf.yaml': teamText('b.agf.yaml'), 'b.agf.yaml': agentText() })
  await chat(cwd, 'tea\ntea\n', '--events', 'e.jsonl')
  const tokens = [...readFileSync(join(cwd, 'e.jsonl'), 'utf8').matchAll(/"model-answered".*?"inputTokens":(\d+)/g)]
  const [first = 0, second = 0] = tokens.map(([, count]) => Number(count))
  expect(second).toBeGreaterThan(first)
})

test('--resume continues a chat; a line that a crash cut off is dropped', async () => {
  const cwd = folder(script('one', 'two', 'three'))
  await chat(cwd, 'first\n', '--resume', 'my.chat', '--script', 'script.yaml')
  appendFileSync(join(cwd, 'my.chat'), '{"question":"lo')
  const { stderr } = await chat(cwd, 'second\n', '--resume', 'my.chat', '--script', 'script.yaml')
  expect(stderr).toContain('1 earlier turn in my.chat')
  const turns = readFileSync(join(cwd, 'my.chat'), 'utf8')
  expect(turns.split('\n').slice(1)).toEqual([
    '{"question":"first","answer":"one"}',
    '{"question":"second","answer":"one"}',
    '',
  ])
  expect((await chat(cwd, '', '--resume', 'my.chat')).stderr).toContain('2 earlier turns')
})

test('a damaged line between turns is an error with its number, and the file stays as it is', async () => {
  const cwd = folder(script('one'))
  await chat(cwd, 'first\n', '--resume', 'my.chat', '--script', 'script.yaml')
  const [mark, turn] = readFileSync(join(cwd, 'my.chat'), 'utf8').split('\n')
  for (const broken of ['{"question":"lo', '{"question":"lost"}', '7']) {
    const text = `${mark}\n${turn}\n${broken}\n${turn}\n`
    writeFileSync(join(cwd, 'my.chat'), text)
    expect(await chat(cwd, 'second\n', '--resume', 'my.chat', '--script', 'script.yaml')).toMatchObject({
      code: exitCodes.usage,
      stdout: '',
      stderr: expect.stringContaining('--resume my.chat: line 3 is damaged; correct or delete it'),
    })
    expect(readFileSync(join(cwd, 'my.chat'), 'utf8')).toBe(text)
  }
})

test('a second process is refused while a chat uses the file, and not afterwards', async () => {
  const cwd = folder(script('one'))
  let second: Outcome | undefined
  const lines: (() => Promise<string | undefined>)[] = [
    async () => {
      second = await chat(cwd, 'second\n', '--resume', 'my.chat', '--script', 'script.yaml')
      return 'first'
    },
    async () => undefined,
  ]
  const { io } = memoryIo({ cwd, prompt: async () => lines.shift()?.() })
  expect(await run(['agent', 'chat', 'a.agf.yaml', '--resume', 'my.chat', '--script', 'script.yaml'], io)).toBe(0)
  expect(second).toMatchObject({
    code: exitCodes.usage,
    stderr: expect.stringMatching(/my\.chat: locked by process \d+/),
  })
  expect((await chat(cwd, '', '--resume', 'my.chat')).stderr).toContain('1 earlier turn in my.chat')
})

test.each([
  ['.', 'this is a directory, not a file'],
  ['none/my.chat', 'no such folder'],
])('--resume %s is refused: %s', async (file, message) => {
  const cwd = folder(script('one'))
  const { code, stderr } = await chat(cwd, 'first\n', '--resume', file, '--script', 'script.yaml')
  expect([code, stderr]).toEqual([exitCodes.usage, expect.stringContaining(`joust: --resume ${file}: ${message}\n`)])
})

test('the chat of another agent, and a foreign file, are refused and stay as they are', async () => {
  const cwd = folder({ ...script('one'), 'b.agf.yaml': agentText({ id: 'other' }), 'notes.txt': 'mine\n' })
  await chat(cwd, 'first\n', '--resume', 'my.chat', '--script', 'script.yaml')
  const other = await joust(['agent', 'chat', 'b.agf.yaml', '--resume', 'my.chat'], { cwd })
  expect(other).toMatchObject({ code: 64, stderr: expect.stringContaining('a different agent') })
  expect((await chat(cwd, 'x\n', '--resume', 'notes.txt')).code).toBe(64)
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('mine\n')
})

test('a turn that fails does not end the chat', async () => {
  const cwd = folder(script('one'))
  const { code, stdout, stderr } = await chat(cwd, 'first\nsecond\n', '--script', 'script.yaml')
  expect({ code, stdout }).toEqual({ code: exitCodes.failedRun, stdout: 'one\n' })
  expect(stderr).toContain('model_failed')
})

test('an answer that breaks off in the middle of its stream is a failure and not a turn', async () => {
  const server = createServer((request, response) => {
    request.resume()
    const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'The code is 4' }, finish_reason: null }]
    response.setHeader('content-type', 'text/event-stream')
    response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`, () => response.socket?.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // A server on a port has this kind of address.
  const { port } = server.address() as AddressInfo
  const config = `bindings: { models: { sim/cautious: { base_url: "http://127.0.0.1:${port}/", model: m } } }\n`
  const cwd = folder({ 'a.agf.yaml': agentText(), 'joust.yaml': config })
  const { code, stdout, stderr } = await chat(cwd, 'What is the code?\n', '--resume', 'my.chat', '--retries', '0')
  expect(code).toBe(exitCodes.failedRun)
  expect(stdout).toBe('The code is 4\n')
  expect(stderr).toContain('failed: the connection was lost before the answer was complete (status 200)')
  expect(readFileSync(join(cwd, 'my.chat'), 'utf8')).toBe('{"joust_chat":1,"agent":"helper"}\n')
})

test('tool calls are shown, and approvals are asked for in between', async () => {
  const cwd = folder(greeter)
  const asked: string[] = []
  const lines = ['Greet the person "Ann".', '/exit']
  const { io, stdout, stderr } = memoryIo({
    cwd,
    prompt: async () => lines.shift(),
    ask: async (question) => {
      asked.push(question)
      return 'y'
    },
  })
  expect(await run(['agent', 'chat', 'a.agf.yaml'], io)).toBe(0)
  expect(asked).toEqual(['Approve greet? [y/N] '])
  expect(stdout.join('')).toContain('hello Ann')
  expect(stderr.join('')).toContain('helper  calls greet {"person":"Ann"}')
})

test('Ctrl-C stops the answer and not the chat', async () => {
  const cwd = folder({
    ...greeter,
    'tools.mjs': `export const greet = { call: (_, { signal }) => new Promise((_, reject) => {
      globalThis.interruptTheChat()
      signal.addEventListener('abort', () => reject(new Error('stopped')))
    }), inputSchema: { type: 'object', properties: { person: { type: 'string' } }, required: ['person'] } }\n`,
  })
  const lines: (string | undefined)[] = ['Greet the person "Ann".', 'tea', undefined]
  const { io, stdout, stderr } = memoryIo({ cwd, prompt: async () => lines.shift() })
  let current: AbortController | undefined
  // What the module calls, as a signal would.
  Object.assign(globalThis, { interruptTheChat: () => current?.abort(new Error('Ctrl-C')) })
  const stoppable: typeof io.stoppable = async (work) => {
    current = new AbortController()
    return work(current.signal)
  }
  expect(await run(['agent', 'chat', 'a.agf.yaml', '--approve', 'all'], { ...io, stoppable })).toBe(0)
  expect(stderr.join('')).toContain('joust: stopped')
  expect(stdout.join('')).toContain('Regarding: tea')
})
