import { PassThrough } from 'node:stream'
import type { Agent } from '@joust/agentformat'
import { deferred } from '@joust/io'
import { Client, type Progress, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { schemaValidator } from '../../src/connectors/mcp-validator.ts'
import { serveMcp } from '../../src/serve/mcp.ts'
import { serveMcpStdio } from '../../src/serve/mcp-stdio.ts'
import { leaf, object } from '../support/agents.ts'
import { react, scripts } from '../support/react.ts'
import { until, useHost } from '../support/serve.ts'

const { host, closing } = useHost()
const text = { type: 'string' } as const
const greet = leaf(({ input }) => ({ greeting: `Hello ${JSON.stringify(input)}` }), {
  id: 'greet',
  input: object({ name: text }),
  output: object({ greeting: text }),
})

async function serve(agents: Agent | readonly Agent[]) {
  const { runtime, events } = host()
  return { ...closing(await serveMcp(runtime, agents)), events }
}

type Mode = 'legacy' | 'auto' | { pin: string }

async function client(url: string, mode: Mode = 'legacy') {
  const options = { versionNegotiation: { mode }, jsonSchemaValidator: schemaValidator }
  const peer = closing(new Client({ name: 'peer', version: '1' }, options))
  await peer.connect(new StreamableHTTPClientTransport(new URL(url)))
  return peer
}

function post(url: string, message: object, headers: Record<string, string> = {}) {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
}

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'peer', version: '1' } },
}

/** An agent that works until it is stopped, and records the signal. */
function holding() {
  const signals: AbortSignal[] = []
  const hold = deferred()
  const agent = leaf(
    async ({ signal }) => {
      signals.push(signal)
      const aborted = new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))
      await Promise.race([hold.promise, aborted])
      return 'held'
    },
    { id: 'hold', output: text },
  )
  return { agent, signals, hold }
}

describe('agents over MCP', () => {
  it.each<[Mode, string]>([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
    [{ pin: '2026-07-28' }, '2026-07-28'],
  ])('are one tool each, protocol %j', async (mode, version) => {
    const shout = leaf(({ input }) => `${String(input)}!`, { id: 'shout it', input: text, output: text })
    const { url } = await serve([greet, shout, greet])
    const peer = await client(url, mode)
    expect(peer.getNegotiatedProtocolVersion()).toBe(version)
    const { tools } = await peer.listTools()
    expect(tools).toMatchObject([
      { name: 'greet', description: 'The agent greet.', inputSchema: object({ name: text }) },
      { name: 'shout_it', inputSchema: object({ input: text }) },
      { name: 'greet-2' },
    ])
    const greeted = await peer.callTool({ name: 'greet', arguments: { name: 'Ann' } })
    expect(greeted).toMatchObject({
      content: [{ type: 'text', text: 'Hello {"name":"Ann"}' }],
      structuredContent: { greeting: 'Hello {"name":"Ann"}' },
    })
    const shouted = await peer.callTool({ name: 'shout_it', arguments: { input: 'hey' } })
    expect(shouted.content).toEqual([{ type: 'text', text: 'hey!' }])
    expect(shouted.structuredContent).toBeUndefined()
  })

  it('reports invalid arguments and unknown names', async () => {
    const { url } = await serve(greet)
    const peer = await client(url)
    const wrong = await peer.callTool({ name: 'greet', arguments: { nam: 'Ann' } })
    expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/input_validation.*name/) }] })
    await expect(peer.callTool({ name: 'constructor', arguments: {} })).rejects.toMatchObject({ code: -32602 })
  })

  const worker = () => {
    const parts = { input: text, output: text, action_space: { local_tools: [{ alias: 'look' }] } }
    const turns = [{ tool_calls: [{ name: 'look' }] }, { tool_calls: [{ name: 'look' }] }, { text: 'done' }]
    const models = scripts({ worker: turns })
    return { agent: react('worker', parts), options: { models, tools: { look: { call: () => 'seen' } } } }
  }
  const steps = [
    'worker started',
    ...[1, 2].flatMap(() => ['calling the model', 'the model answered', 'calling look', 'look answered']),
    ...['calling the model', 'the model answered', 'the agent finished'],
  ]

  it.each<Mode>(['legacy', { pin: '2026-07-28' }])('sends progress of every step on request (%j)', async (mode) => {
    const { agent, options } = worker()
    const { url } = closing(await serveMcp(host(options).runtime, agent))
    const peer = await client(url, mode)
    const told: Progress[] = []
    const onprogress = (progress: Progress) => void told.push(progress)
    const called = await peer.callTool({ name: 'worker', arguments: { input: 'x' } }, { onprogress })
    expect(called).toMatchObject({ content: [{ text: 'done' }] })
    expect(told).toEqual(steps.map((message, index) => ({ progress: index + 1, message })))
  })

  it('sends no progress without a token', async () => {
    const { agent, options } = worker()
    const { url } = closing(await serveMcp(host(options).runtime, agent))
    const session = (await post(url, initialize)).headers.get('mcp-session-id') ?? ''
    const call = { id: 2, method: 'tools/call', params: { name: 'worker', arguments: { input: 'x' } } }
    const answer = await (await post(url, call, { 'mcp-session-id': session })).text()
    expect(answer).toContain('done')
    expect(answer).not.toContain('progress')
  })

  it.each<Mode>(['legacy', { pin: '2026-07-28' }])(
    'a call that is aborted cancels its run and no other (%j)',
    async (mode) => {
      const { agent, signals, hold } = holding()
      const { url, events } = await serve(agent)
      const peer = await client(url, mode)
      const leaving = new AbortController()
      const left = peer
        .callTool({ name: 'hold', arguments: { input: 1 } }, { signal: leaving.signal })
        .catch(() => 'left')
      await until(() => signals.length === 1)
      const stayed = (await client(url, mode)).callTool({ name: 'hold', arguments: { input: 2 } })
      await until(() => signals.length === 2)
      leaving.abort()
      expect(await left).toBe('left')
      await until(() => events.some(({ type }) => type === 'run-failed'))
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
      hold.resolve()
      expect(await stayed).toMatchObject({ content: [{ text: 'held' }] })
    },
  )

  it('a lost connection cancels the run', async () => {
    const { agent, signals } = holding()
    const { url, events } = await serve(agent)
    const peer = await client(url)
    const call = peer.callTool({ name: 'hold', arguments: { input: 1 } }).catch(() => 'broken')
    await until(() => signals.length === 1)
    await peer.close()
    expect(await call).toBe('broken')
    await until(() => events.some(({ type }) => type === 'run-failed'))
    expect(signals[0]?.aborted).toBe(true)
  })

  it('manages sessions', async () => {
    const { url } = await serve(greet)
    expect((await post(url, { method: 'tools/list' })).status).toBe(400)
    expect((await post(url, { method: 'tools/list' }, { 'mcp-session-id': 'none' })).status).toBe(404)
    expect((await fetch(url)).status).toBe(400)
    const transport = new StreamableHTTPClientTransport(new URL(url))
    const peer = closing(new Client({ name: 'peer', version: '1' }))
    await peer.connect(transport)
    const session = transport.sessionId ?? ''
    await transport.terminateSession()
    expect((await post(url, { method: 'tools/list' }, { 'mcp-session-id': session })).status).toBe(404)
  })

  it('the least recently used session is dropped for a new one', async () => {
    const { url } = await serve(greet)
    const open = async () => {
      const response = await post(url, initialize)
      await response.text()
      return response.headers.get('mcp-session-id') ?? ''
    }
    const first = await open()
    for (let count = 1; count < 200; count++) await open()
    const list = (session: string) => post(url, { id: 2, method: 'tools/list' }, { 'mcp-session-id': session })
    expect((await list(first)).status).toBe(200)
    const last = await open()
    expect((await list(last)).status).toBe(200)
    expect((await list(first)).status).toBe(200)
  })

  it('stopping the server cancels runs and ends open streams', async () => {
    const { agent, signals } = holding()
    const { url, close } = await serve(agent)
    const peer = await client(url)
    const call = peer.callTool({ name: 'hold', arguments: { input: 1 } }, { timeout: 20_000 }).catch(() => 'ended')
    await until(() => signals.length === 1)
    await close()
    expect(signals[0]?.aborted).toBe(true)
    await peer.close()
    await call
  })
})

describe('agents over standard streams', () => {
  const streams = () => ({ input: new PassThrough(), output: new PassThrough() })

  async function ask(pipes: ReturnType<typeof streams>, ...messages: object[]): Promise<unknown[]> {
    let said = ''
    pipes.output.on('data', (chunk) => {
      said += chunk
    })
    for (const message of messages) pipes.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const expected = messages.filter((message) => 'id' in message).length
    await until(() => said.split('\n').length - 1 >= expected)
    return said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }

  const hello = [initialize, { method: 'notifications/initialized' }]

  it('answer, and close when the client disconnects', async () => {
    const pipes = streams()
    const { runtime } = host()
    const served = closing(await serveMcpStdio(runtime, greet, pipes))
    const call = { id: 2, method: 'tools/call', params: { name: 'greet', arguments: { name: 'Bo' } } }
    const [initialized, called] = await ask(pipes, ...hello, call)
    expect(initialized).toMatchObject({ id: 1, result: { serverInfo: { name: 'greet' } } })
    expect(called).toMatchObject({ id: 2, result: { structuredContent: { greeting: 'Hello {"name":"Bo"}' } } })
    pipes.input.end()
    await served.closed
  })

  it('rejects integers that would lose digits, and passes all other bytes on', async () => {
    const pipes = streams()
    const { runtime } = host()
    const said = ({ input }: { readonly input: unknown }) => JSON.stringify(input)
    const echo = leaf(said, { id: 'echo', input: object({ n: {}, t: text }) })
    const count = leaf(said, { id: 'count', input: object({ n: { type: 'integer' } }) })
    closing(await serveMcpStdio(runtime, [echo, count], pipes))
    await ask(pipes, ...hello)
    const call = (id: number, name: string, args: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}\n`
    const counting = call(2, 'count', '{"n":9007199254740993}')
    const echoing = call(3, 'echo', '{"n":9007199254740993,"t":"ä \\" 9007199254740993"}')
    const bytes = Buffer.from(counting + echoing)
    for (let at = 0; at < bytes.length; at += 7) pipes.input.write(bytes.subarray(at, at + 7))
    const answers = await ask(pipes, { id: 4, method: 'ping' }, { id: 5, method: 'ping' }, { id: 6, method: 'ping' })
    const textOf = (id: number) => {
      const answer = answers.find((one) => JSON.parse(JSON.stringify(one)).id === id)
      return JSON.parse(JSON.stringify(answer)).result.content[0].text
    }
    expect(textOf(2)).toMatch(/^input_validation: .*expected an integer/)
    expect(JSON.parse(textOf(3))).toEqual({ n: '9007199254740993', t: 'ä " 9007199254740993' })
  })

  it('sends progress of every step before the answer', async () => {
    const pipes = streams()
    const agent = leaf(() => 'ran', { id: 'quick', output: text })
    closing(await serveMcpStdio(host().runtime, agent, pipes))
    await ask(pipes, ...hello)
    let said = ''
    pipes.output.on('data', (chunk) => {
      said += chunk
    })
    const params = { name: 'quick', arguments: { input: 1 }, _meta: { progressToken: 'mine' } }
    pipes.input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`)
    await until(() => /"id":2.*\n/.test(said))
    expect(
      said
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'mine', progress: 1, message: 'quick started' } },
      { method: 'notifications/progress', params: { progressToken: 'mine', progress: 2 } },
      { id: 2, result: {} },
    ])
  })

  it('a disconnect during a call cancels the run', async () => {
    const pipes = streams()
    const { agent, signals } = holding()
    const { runtime, events } = host()
    const served = closing(await serveMcpStdio(runtime, agent, pipes))
    await ask(pipes, ...hello)
    pipes.input.write(
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"hold","arguments":{"input":1}}}\n',
    )
    await until(() => signals.length === 1)
    pipes.input.end()
    await served.closed
    await until(() => events.some(({ type }) => type === 'run-failed'))
    expect(signals[0]?.aborted).toBe(true)
  })
})
