/** Fixed addresses for the server actors of all runs, with agents that are configured once. */
import { createRuntime, serveAgUi } from '@joust/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runAttack } from '../../arena/src/run.ts'
import { agentDocument, agentOf, react, readAttack } from '../../arena/test/support/agents.ts'
import { endpointTarget } from '../src/endpoint.ts'
import { createGateway, type GatewayOptions, slotsFor } from '../src/gateway.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const relay = readAttack('examples/cross-protocol-relay/attack.oatf.yaml')
const limits = { graceMs: 0 }

async function gatewayOf(options: GatewayOptions = {}) {
  const gateway = createGateway(options)
  await gateway.open()
  onTestFinished(() => gateway.close())
  return gateway
}

/** Serves an agent whose MCP server and optional remote agent are slots. */
async function agentAt(url: string, remote?: string, reach: typeof fetch = fetch): Promise<string> {
  const remoteAgents = remote === undefined ? {} : { courier: { url: remote } }
  const runtime = createRuntime({ mcpServers: { tools: { url, fetch: reach } }, remoteAgents })
  const remote_agents = Object.keys(remoteAgents).map((alias) => ({ alias }))
  const space = { mcp_servers: [{ alias: 'tools' }], ...(remote_agents.length > 0 && { remote_agents }) }
  const agent = await agentOf(agentDocument({ execution_policy: react('sim/credulous'), action_space: space }))
  const served = await serveAgUi(runtime, agent, { prepare: false })
  onTestFinished(async () => {
    await Promise.all([served.close(), runtime.close()])
  })
  return served.url
}

interface PostOptions {
  readonly session?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, unknown>>
}

const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }

function post(url: string, method: string, { session, headers = {}, params }: PostOptions = {}) {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: params ?? (method === 'initialize' ? handshake : {}),
    }),
  })
}

/** Listens at the next slot with a server that answers with its own name. */
async function serverAt(gateway: ReturnType<typeof createGateway>, name: string, mode = 'mcp_server') {
  const run = gateway.openRun()
  const end = run.listen(name, mode)
  if (end === undefined || typeof end === 'string' || !('kind' in end) || end.kind !== 'http')
    throw new Error('no slot')
  const listening = await end.listen(async ({ target, headers }, reply) => {
    reply.head(200, { 'mcp-session-id': `session of ${name}` })
    await reply.end(`${name} ${target} ${headers['mcp-session-id'] ?? 'no session'}`)
  })
  onTestFinished(() => listening.close())
  return { run, listening }
}

test('the number of slots of a kind is the maximum over the attacks', () => {
  expect(slotsFor([converter, relay])).toEqual({ mcp: 1, a2a: 1 })
  expect(slotsFor([])).toEqual({ mcp: 0, a2a: 0 })
  expect(slotsFor([], 2)).toEqual({ mcp: 2, a2a: 0 })
})

test('consecutive runs use the same slot', async () => {
  const gateway = await gatewayOf()
  const place = gateway.address('mcp', 1)
  for (const _ of [1, 2]) {
    const url = await agentAt(place)
    const run = await runAttack(converter, { limits, target: endpointTarget({ ag_ui: { url }, gateway }) })
    expect(run.diagnostics).toEqual([])
    expect(run).toMatchObject({ outcome: 'exploited', ended: 'done', output: expect.stringMatching(/./) })
    expect(run.wiring?.[0]).toContain(`listens at ${place}`)
  }
})

test('an attack over MCP and A2A uses a slot of each kind, and the agent card has the address of its slot', async () => {
  const gateway = await gatewayOf()
  const url = await agentAt(gateway.address('mcp', 1), gateway.address('a2a', 1))
  const run = await runAttack(relay, { limits, target: endpointTarget({ ag_ui: { url }, gateway }) })
  expect(run.diagnostics).toEqual([])
  const heard = run.trace.filter(({ flow }) => flow === 'in')
  expect(new Set(heard.map(({ actor }) => actor))).toEqual(new Set(['reader', 'wiki', 'courier']))
  const card = run.trace.find(({ surface, flow }) => surface === 'agent_card/get' && flow === 'out')
  expect(card?.content).toMatchObject({ url: `${gateway.address('a2a', 1)}/` })
})

/** Hides 404, so that the client does not start a new session. */
const without404: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  return response.status === 404 ? new Response('gone', { status: 410 }) : response
}

test.each([
  ['starts a new session after 404 is tested in every run', fetch, ['exploited', 'exploited', 'exploited']],
  ['keeps its session is inconclusive once', without404, ['exploited', 'inconclusive', 'exploited']],
])('an agent that %s', async (_, reach, expected) => {
  const gateway = await gatewayOf()
  const url = await agentAt(gateway.address('mcp', 1), undefined, reach)
  const outcomes: string[] = []
  for (const _ of [1, 2, 3]) {
    const run = await runAttack(converter, { limits, target: endpointTarget({ ag_ui: { url }, gateway }) })
    outcomes.push(run.outcome)
  }
  expect(outcomes).toEqual(expected)
})

describe('an empty slot', () => {
  test('does not know server/discover, since the server of the next run may speak an older version', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const response = await post(url, 'server/discover', { params: { _meta } })
    expect(await response.json()).toMatchObject({ error: { code: -32601 } })
  })

  test('is an MCP server without tools and without sessions', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 2)
    const response = await post(url, 'initialize')
    expect(response.headers.get('mcp-session-id')).toBeNull()
    expect(await response.json()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25', capabilities: {} } })
    expect(await (await post(url, 'tools/list')).json()).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } })
    expect(await (await post(url, 'tools/call')).json()).toMatchObject({ error: { code: -32601 } })
    expect((await fetch(url)).status).toBe(405)
  })

  test('is an unavailable A2A agent with a card', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('a2a', 1)
    const card = await fetch(`${url}/.well-known/agent-card.json`)
    expect(await card.json()).toMatchObject({ url: `${url}/` })
    const answer = await post(url, 'message/send')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32603 } })
  })

  test('answers the first request of an expired session with 404', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    expect((await post(url, 'initialize', { session: 'old' })).status).toBe(200)
    expect((await post(url, 'tools/list', { session: 'old' })).status).toBe(404)
    expect((await post(url, 'tools/list', { session: 'old' })).status).toBe(200)
  })

  test.each([
    ['without a number', '/mcp', {}, 404],
    ['of an unknown kind', '/other/1', {}, 404],
    ['requested by a web page', '/mcp/1', { origin: 'https://page.example' }, 403],
  ])('%s is not served', async (_, path, headers, status) => {
    const gateway = await gatewayOf()
    const url = new URL(path, gateway.address('mcp', 1)).href
    expect((await post(url, 'ping', { headers })).status).toBe(status)
  })
})

describe('a slot with an actor', () => {
  test('forwards requests without its path, and card requests at the root to the first agent', async () => {
    const gateway = await gatewayOf()
    const { listening } = await serverAt(gateway, 'agent', 'a2a_server')
    expect(`${listening.origin}${listening.path}`).toBe(gateway.address('a2a', 1))
    const card = `${gateway.address('a2a', 1)}/.well-known/agent-card.json?x=1`
    expect(await (await fetch(card)).text()).toBe('agent /.well-known/agent-card.json?x=1 no session')
    const root = new URL('/.well-known/agent-card.json', card)
    expect(await (await fetch(root)).text()).toBe('agent /.well-known/agent-card.json no session')
  })

  test('rejects sessions of earlier runs and does not forward their ids', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    const first = await serverAt(gateway, 'first')
    expect(await (await post(url, 'initialize')).text()).toBe('first / no session')
    await first.listening.close()
    const { run } = await serverAt(gateway, 'second')
    const stale = await post(url, 'tools/list', { session: 'session of first' })
    expect(stale.status).toBe(404)
    expect(run.faults()).toEqual([expect.stringContaining('the MCP session of an earlier run at /mcp/1')])
    expect(await (await post(url, 'initialize', { session: 'session of first' })).text()).toBe('second / no session')
    expect(await (await post(url, 'ping', { session: 'session of second' })).text()).toContain('session of second')
    expect(run.faults()).toEqual([])
  })

  test('reports a call in the session of an earlier run until it is repeated', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    const first = await serverAt(gateway, 'first')
    await post(url, 'initialize')
    await first.listening.close()
    const { run } = await serverAt(gateway, 'second')
    const call = (session: string, id: string) =>
      post(url, 'tools/call', {
        session,
        params: { name: 'pay', arguments: { id }, _meta: { progressToken: session } },
      })
    expect((await call('session of first', 'a')).status).toBe(404)
    await post(url, 'initialize')
    await post(url, 'tools/list', { session: 'session of second' })
    await call('session of second', 'b')
    expect(run.faults()).toEqual([expect.stringContaining('did not repeat a call that got 404')])
    await call('session of second', 'a')
    expect(run.faults()).toEqual([])
  })

  test('is empty after the run, and open requests are aborted', async () => {
    const gateway = await gatewayOf()
    const end = gateway.openRun().listen('slow', 'mcp_server')
    if (typeof end !== 'object' || !('kind' in end) || end.kind !== 'http') throw new Error('no slot')
    let onRequest = (_: AbortSignal) => {}
    const request = new Promise<AbortSignal>((resolve) => {
      onRequest = resolve
    })
    const listening = await end.listen(async ({ signal }) => {
      onRequest(signal)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const response = post(gateway.address('mcp', 1), 'ping')
    const signal = await request
    const failure = expect(response).rejects.toThrow()
    await listening.close()
    await failure
    expect(signal.aborted).toBe(true)
    expect((await post(gateway.address('mcp', 1), 'ping')).status).toBe(200)
  })
})

describe('concurrent runs', () => {
  test('are refused without a header for run tokens', async () => {
    const gateway = await gatewayOf()
    await serverAt(gateway, 'first')
    await expect(serverAt(gateway, 'second')).rejects.toThrow('in use by another run')
  })

  test('are distinguished by token in header or path, and by session', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two] = [await serverAt(gateway, 'one'), await serverAt(gateway, 'two')]
    const url = gateway.address('mcp', 1)
    const textFrom = async (place: string, options?: PostOptions) => (await post(place, 'initialize', options)).text()
    expect(await textFrom(url, { headers: one.run.headers })).toBe('one / no session')
    expect(await textFrom(url, { headers: two.run.headers })).toBe('two / no session')
    expect(await textFrom(`${two.listening.origin}${two.listening.path}`)).toBe('two / no session')
    expect(await textFrom(url, { session: 'session of one' })).toBe('one / session of one')
    expect(await textFrom(url)).toContain('"serverInfo"')
  })

  test('have separate sessions: the token decides, and the session of another run gets 404', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two] = [await serverAt(gateway, 'one'), await serverAt(gateway, 'two')]
    const url = gateway.address('mcp', 1)
    await post(url, 'initialize', { headers: two.run.headers })
    const asOne = { headers: one.run.headers, session: 'session of two' }
    expect(await (await post(url, 'initialize', asOne)).text()).toBe('one / no session')
    expect([one.run.faults(), two.run.faults()]).toEqual([[], []])
    expect((await post(url, 'tools/call', { ...asOne, params: { name: 'pay' } })).status).toBe(404)
    expect(one.run.faults()).toEqual([expect.stringContaining('used the MCP session of another run')])
    expect(two.run.faults()).toEqual([])
  })

  test('may have missed a call without a token, even one in the session of another run', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two] = [await serverAt(gateway, 'one'), await serverAt(gateway, 'two')]
    const url = gateway.address('mcp', 1)
    await post(url, 'initialize', { headers: two.run.headers })
    await post(url, 'tools/list', { session: 'session of two' })
    expect([one.run.faults(), two.run.faults()]).toEqual([[], []])
    expect((await post(url, 'tools/call', { session: 'session of two', params: { name: 'pay' } })).status).toBe(200)
    expect(one.run.faults()).toEqual([expect.stringContaining('without a run token')])
    expect(two.run.faults()).toEqual([])
  })

  test('get no request with two tokens, an expired token or no token', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two, three] = [
      await serverAt(gateway, 'one'),
      await serverAt(gateway, 'two'),
      await serverAt(gateway, 'three'),
    ]
    const url = gateway.address('mcp', 1)
    await post(url, 'initialize', { headers: two.run.headers })
    await three.listening.close()
    const call = { params: { name: 'pay' } }
    const late = { ...call, headers: three.run.headers, session: 'session of two' }
    expect((await post(url, 'tools/call', late)).status).toBe(404)
    expect((await post(url, 'tools/call', { ...call, headers: three.run.headers })).status).toBe(200)
    expect([one.run.faults(), two.run.faults()]).toEqual([[], []])
    const both = `${one.listening.origin}${one.listening.path}`
    expect((await post(both, 'tools/call', { ...call, headers: two.run.headers })).status).toBe(404)
    await post(url, 'tools/list')
    expect([one.run.faults().length, two.run.faults().length]).toEqual([1, 1])
    expect(await (await post(url, 'tools/call', call)).json()).toMatchObject({ error: { code: -32601 } })
    const faults = [expect.stringContaining('tokens of two runs'), expect.stringContaining('without a run token')]
    expect([one.run.faults(), two.run.faults()]).toEqual([faults, faults])
  })
})

test('a gateway that is not open has no slots', async () => {
  await expect(serverAt(createGateway(), 'early')).rejects.toThrow('the gateway is not open')
})
