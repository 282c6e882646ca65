/** `agent run --journal`, also under kill -9, with a model and an MCP server that survive it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { isRecord } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { listenForTest } from '../../../../io/test/loopback.ts'
import { agentText, GREET, greeter } from '../../agents.ts'
import { binary } from '../../spawned.ts'
import { folder, joust } from '../../world.ts'

const CALLS = 6

test('a killed run resumes with the right output and every effect once; then it is replayed', async () => {
  const world = await openWorld()
  const killed = await world.run((child, seen) => {
    if (seen === 8) child.kill('SIGKILL')
  })
  expect(killed).toMatchObject({ signal: 'SIGKILL', stdout: '' })
  const { code, stdout, stderr } = await world.run()
  expect({ code, stderr, output: JSON.parse(stdout || 'null') }).toMatchObject({
    code: 0,
    output: { left: `wrote ${CALLS}`, right: `wrote ${CALLS}` },
  })
  // The server outlives the run, so even a call whose result was lost took effect.
  const expected = ['left', 'right'].flatMap((who) => Array.from({ length: CALLS }, (_, n) => `${who} ${n}`))
  expect(world.effects.toSorted()).toEqual(expected)
  expect(statSync(join(world.cwd, 'run.journal')).mode & 0o777).toBe(0o600)
  const before = world.requests()
  expect((await world.run()).stdout).toBe(stdout)
  expect(world.requests()).toBe(before)
}, 60_000)

describe('in this process', () => {
  const argv = (...more: string[]) => ['agent', 'run', 'a.agf.yaml', '-q', '--journal', 'run.journal', ...more]
  const first = argv('-i', GREET, '--approve', 'all')

  test.each([
    ['input', argv('-i', '"tea"')],
    ['--model', [...first, '--model', 'sim/silent']],
    ['--script', [...first, '--script', 'turns.yaml']],
  ])('another %s is another run', async (what, again) => {
    const cwd = folder({ ...greeter, 'turns.yaml': '- text: hi\n' })
    expect((await joust(first, { cwd })).code).toBe(0)
    const { code, stdout, stderr } = await joust(again, { cwd })
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toContain(`another run (different ${what})`)
  })

  test('another agent is another run, however it is named', async () => {
    const cwd = folder({ ...greeter, 'b.agf.yaml': greeter['a.agf.yaml'] })
    const { stdout } = await joust(first, { cwd })
    expect(await joust([...first.slice(0, 2), 'b.agf.yaml', ...first.slice(3)], { cwd })).toMatchObject({
      code: 0,
      stdout,
    })
    writeFileSync(join(cwd, 'a.agf.yaml'), greeter['a.agf.yaml'].replace('Greet a person.', 'Insult a person.'))
    expect((await joust(first, { cwd })).stderr).toContain('(different agent)')
  })

  test('Ctrl-C at a question: it is asked again, and keys are not in the file', async () => {
    const cwd = folder(greeter)
    const env = { OPENAI_API_KEY: 'sk-the-key-of-ann' }
    const input = '"Greet the person \\"sk-the-key-of-ann\\"."'
    const asking = ['agent', 'run', 'a.agf.yaml', '--journal', 'run.journal', '-i', input]
    const stop = new AbortController()
    const hang = () => {
      stop.abort()
      return new Promise<never>(() => {})
    }
    const stopped = await joust(asking, { cwd, env, ask: hang, interruption: stop.signal })
    expect(stopped.stderr).toContain('joust: run the same command again to continue from run.journal\n')
    let asked = 0
    const yes = async () => {
      asked += 1
      return 'y'
    }
    const { code, stderr } = await joust(asking, { cwd, env, ask: yes })
    expect({ code, asked }).toEqual({ code: 0, asked: 1 })
    expect(stderr).toMatch(/continues: \d+ recorded steps? replayed from the journal/)
    expect(readFileSync(join(cwd, 'run.journal'), 'utf8')).not.toContain('key-of-ann')
  })
})

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

async function openWorld() {
  const effects: string[] = []
  let requests = 0
  let onRequest = () => {}
  const seen = () => {
    requests += 1
    onRequest()
  }
  const model = await listen(async (request, response) => {
    seen()
    const answer = modelAnswer(await bodyOf(request))
    await wait()
    reply(response, answer)
  })
  const server = await listen(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = await bodyOf(request)
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'tools/call') {
      seen()
      await wait()
      effects.push(`${params.arguments.who} ${params.arguments.n}`)
      await wait()
    }
    reply(response, { jsonrpc: '2.0', id, result: results[method] ?? {} })
  })
  const cwd = folder({ ...files, 'joust.yaml': `bindings: { mcp_servers: { notes: { url: "${server}/mcp" } } }\n` })
  const run = (meddle?: (child: ChildProcess, seen: number) => void) => {
    const env = { ...process.env, OPENAI_COMPATIBLE_BASE_URL: model }
    const argv = ['agent', 'run', 'root.agf.yaml', '-i', '{}', '-q', '--journal', 'run.journal']
    const child = spawn(process.execPath, [binary, ...argv], { cwd, env })
    let count = 0
    onRequest = () => meddle?.(child, ++count)
    return endOf(child)
  }
  return { cwd, effects, requests: () => requests, run }
}

const react = (id: string) =>
  agentText({
    id,
    input: '{ type: object }',
    output: `{ type: object, required: [${id}], properties: { ${id}: { type: string } } }`,
    policy: `{ id: agf.react, config: { instructions: I am ${id}, model: openai-compatible/test } }`,
    actions: '{ mcp_servers: [{ alias: notes, server_ref: notes }] }',
  })

const files = {
  'left.agf.yaml': react('left'),
  'right.agf.yaml': react('right'),
  'root.agf.yaml': agentText({
    id: 'root',
    input: '{ type: object }',
    output: '{ type: object }',
    policy: '{ id: agf.parallel, config: { agents: [{ agent: left }, { agent: right }], output_from: merge } }',
    actions: '{ local_agents: [{ alias: left, source: left.agf.yaml }, { alias: right, source: right.agf.yaml }] }',
  }),
}

const results: { readonly [method: string]: unknown } = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1' },
  },
  'tools/list': { tools: [{ name: 'write', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'written' }] },
}

// biome-ignore lint/suspicious/noExplicitAny: what a test server was sent
type Body = any

/** Writes one note after the other, regardless of the results. */
function modelAnswer({ messages }: Body) {
  const who = JSON.stringify(messages[0]).includes('I am left') ? 'left' : 'right'
  const n = messages.filter((message: unknown) => isRecord(message) && message.role === 'tool').length
  const call = { name: 'write', arguments: JSON.stringify({ who, n }) }
  const message =
    n < CALLS
      ? { role: 'assistant', content: null, tool_calls: [{ id: `${who}-${n}`, type: 'function', function: call }] }
      : { role: 'assistant', content: JSON.stringify({ [who]: `wrote ${n}` }) }
  const choices = [{ index: 0, message, finish_reason: n < CALLS ? 'tool_calls' : 'stop' }]
  return { id: 'x', created: 0, model: 'test', choices, usage: { prompt_tokens: 10, completion_tokens: 5 } }
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  // A process that was killed does not take its answer.
  const listener: RequestListener = (request, response) =>
    void handle(request, response).catch(() => response.destroy())
  const server = createServer(listener)
  return listenForTest(server)
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}

function reply(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 8))
}

function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
}
