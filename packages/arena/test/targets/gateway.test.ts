/** Fixed slots for the server actors of all runs, with agents that are configured for them once. */
import { createRuntime, serveAgUi } from '@joust/runtime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runAttack } from '../../src/run.ts'
import { endpointTarget } from '../../src/targets/endpoint.ts'
import { createGateway, type GatewayOptions, slotsFor } from '../../src/targets/gateway.ts'
import { agentDocument, agentOf, react, readAttack } from '../support/agents.ts'

const converter = readAttack('examples/tool-description-injection/attack.oatf.yaml')
const relay = readAttack('examples/cross-protocol-relay/attack.oatf.yaml')
const limits = { graceMs: 0 }

async function gatewayOf(options: GatewayOptions = {}) {
  const gateway = createGateway(options)
  await gateway.open()
  onTestFinished(() => gateway.close())
  return gateway
}

/** An agent that runs elsewhere, whose MCP server and remote agent, if it has one, are slots. */
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

interface Asked {
  readonly session?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, unknown>>
}

const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} }

function post(url: string, method: string, { session, headers = {}, params }: Asked = {}) {
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

/** Plugs in a server that says its own name. */
async function plug(gateway: ReturnType<typeof createGateway>, name: string, mode = 'mcp_server') {
  const seat = gateway.seat()
  const end = seat.listen(name, mode)
  if (end === undefined || typeof end === 'string' || !('kind' in end) || end.kind !== 'http')
    throw new Error('no slot')
  const listening = await end.listen(async ({ target, headers }, reply) => {
    reply.head(200, { 'mcp-session-id': `session of ${name}` })
    await reply.end(`${name} ${target} ${headers['mcp-session-id'] ?? 'no session'}`)
  })
  onTestFinished(() => listening.close())
  return { seat, listening }
}

test('there are as many slots of a kind as the attack with the most of them has', () => {
  expect(slotsFor([converter, relay])).toEqual({ mcp: 1, a2a: 1 })
  expect(slotsFor([])).toEqual({ mcp: 0, a2a: 0 })
})

test('one run after the other finds the agent at the same slot', async () => {
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

test('an attack over MCP and A2A finds both slots, and the card carries the address of its own', async () => {
  const gateway = await gatewayOf()
  const url = await agentAt(gateway.address('mcp', 1), gateway.address('a2a', 1))
  const run = await runAttack(relay, { limits, target: endpointTarget({ ag_ui: { url }, gateway }) })
  expect(run.diagnostics).toEqual([])
  const heard = run.trace.filter(({ flow }) => flow === 'in')
  expect(new Set(heard.map(({ actor }) => actor))).toEqual(new Set(['reader', 'wiki', 'courier']))
  const card = run.trace.find(({ surface, flow }) => surface === 'agent_card/get' && flow === 'out')
  expect(card?.content).toMatchObject({ url: `${gateway.address('a2a', 1)}/` })
})

/** To a client that hears this, the session is not over. */
const deaf: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  return response.status === 404 ? new Response('gone', { status: 410 }) : response
}

test.each([
  ['begins a new session when told is tested in every run', fetch, ['exploited', 'exploited', 'exploited']],
  ['does not is never said to have resisted, and lives on', deaf, ['exploited', 'inconclusive', 'exploited']],
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
  test('is an MCP server that has nothing and gives out no session', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 2)
    const begun = await post(url, 'initialize')
    expect(begun.headers.get('mcp-session-id')).toBeNull()
    expect(await begun.json()).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25', capabilities: {} } })
    expect(await (await post(url, 'tools/list')).json()).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } })
    expect(await (await post(url, 'tools/call')).json()).toMatchObject({ error: { code: -32601 } })
    expect((await fetch(url)).status).toBe(405)
  })

  test('is an A2A agent with a card of its address that is not available', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('a2a', 1)
    const card = await fetch(`${url}/.well-known/agent-card.json`)
    expect(await card.json()).toMatchObject({ url: `${url}/` })
    const answer = await post(url, 'message/send')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ id: 1, error: { code: -32603 } })
  })

  test('tells a client whose session is over to begin anew', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    expect((await post(url, 'initialize', { session: 'old' })).status).toBe(200)
    expect((await post(url, 'tools/list', { session: 'old' })).status).toBe(404)
    expect((await post(url, 'tools/list', { session: 'old' })).status).toBe(200)
  })

  test.each([
    ['without a number', '/mcp', {}, 404],
    ['of no kind', '/other/1', {}, 404],
    ['asked by a web page', '/mcp/1', { origin: 'https://page.example' }, 403],
  ])('%s is not served', async (_, path, headers, status) => {
    const gateway = await gatewayOf()
    const url = new URL(path, gateway.address('mcp', 1)).href
    expect((await post(url, 'ping', { headers })).status).toBe(status)
  })
})

describe('a slot with an actor', () => {
  test('hands requests on without its path, and cards at the root to the first agent', async () => {
    const gateway = await gatewayOf()
    const { listening } = await plug(gateway, 'agent', 'a2a_server')
    expect(`${listening.origin}${listening.path}`).toBe(gateway.address('a2a', 1))
    const card = `${gateway.address('a2a', 1)}/.well-known/agent-card.json?x=1`
    expect(await (await fetch(card)).text()).toBe('agent /.well-known/agent-card.json?x=1 no session')
    const root = new URL('/.well-known/agent-card.json', card)
    expect(await (await fetch(root)).text()).toBe('agent /.well-known/agent-card.json no session')
  })

  test('does not hear of sessions of earlier runs', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    const first = await plug(gateway, 'first')
    expect(await (await post(url, 'initialize')).text()).toBe('first / no session')
    await first.listening.close()
    const { seat } = await plug(gateway, 'second')
    const stale = await post(url, 'tools/list', { session: 'session of first' })
    expect(stale.status).toBe(404)
    expect(seat.faults()).toEqual([expect.stringContaining('/mcp/1 with the session of an earlier run')])
    expect(await (await post(url, 'initialize', { session: 'session of first' })).text()).toBe('second / no session')
    expect(await (await post(url, 'ping', { session: 'session of second' })).text()).toContain('session of second')
    expect(seat.faults()).toEqual([])
  })

  test('notes a call in the session of an earlier run until the same call comes again', async () => {
    const gateway = await gatewayOf()
    const url = gateway.address('mcp', 1)
    const first = await plug(gateway, 'first')
    await post(url, 'initialize')
    await first.listening.close()
    const { seat } = await plug(gateway, 'second')
    const call = (session: string, id: string) =>
      post(url, 'tools/call', {
        session,
        params: { name: 'pay', arguments: { id }, _meta: { progressToken: session } },
      })
    expect((await call('session of first', 'a')).status).toBe(404)
    await post(url, 'initialize')
    await post(url, 'tools/list', { session: 'session of second' })
    await call('session of second', 'b')
    expect(seat.faults()).toEqual([expect.stringContaining('did not repeat a call that was answered with 404')])
    await call('session of second', 'a')
    expect(seat.faults()).toEqual([])
  })

  test('is let go of with the run, and what was under way is broken off', async () => {
    const gateway = await gatewayOf()
    const end = gateway.seat().listen('slow', 'mcp_server')
    if (typeof end !== 'object' || !('kind' in end) || end.kind !== 'http') throw new Error('no slot')
    let came = (_: AbortSignal) => {}
    const begun = new Promise<AbortSignal>((resolve) => {
      came = resolve
    })
    const listening = await end.listen(async ({ signal }) => {
      came(signal)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    })
    const asked = post(gateway.address('mcp', 1), 'ping')
    const signal = await begun
    const broken = expect(asked).rejects.toThrow()
    await listening.close()
    await broken
    expect(signal.aborted).toBe(true)
    expect((await post(gateway.address('mcp', 1), 'ping')).status).toBe(200)
  })
})

describe('runs at the same time', () => {
  test('are refused where nothing tells them apart', async () => {
    const gateway = await gatewayOf()
    await plug(gateway, 'first')
    await expect(plug(gateway, 'second')).rejects.toThrow('another run is at the gateway')
  })

  test('are told apart by the header that the agent passes on, by their path, and by their sessions', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two] = [await plug(gateway, 'one'), await plug(gateway, 'two')]
    const url = gateway.address('mcp', 1)
    const said = async (place: string, asked?: Asked) => (await post(place, 'initialize', asked)).text()
    expect(await said(url, { headers: one.seat.headers })).toBe('one / no session')
    expect(await said(url, { headers: two.seat.headers })).toBe('two / no session')
    expect(await said(`${two.listening.origin}${two.listening.path}`)).toBe('two / no session')
    expect(await said(url, { session: 'session of one' })).toBe('one / session of one')
    expect(await said(url)).toContain('"serverInfo"')
  })

  test('have sessions of their own: a live mark decides, and the session of another run gets 404', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two] = [await plug(gateway, 'one'), await plug(gateway, 'two')]
    const url = gateway.address('mcp', 1)
    await post(url, 'initialize', { headers: two.seat.headers })
    const asOne = { headers: one.seat.headers, session: 'session of two' }
    expect(await (await post(url, 'initialize', asOne)).text()).toBe('one / no session')
    expect([one.seat.faults(), two.seat.faults()]).toEqual([[], []])
    expect((await post(url, 'tools/call', { ...asOne, params: { name: 'pay' } })).status).toBe(404)
    expect(one.seat.faults()).toEqual([expect.stringContaining('in the MCP session of another')])
    expect(two.seat.faults()).toEqual([])
  })

  test('do not get what carries two marks, a mark that is over, or none', async () => {
    const gateway = await gatewayOf({ header: 'X-Conversation' })
    const [one, two, three] = [await plug(gateway, 'one'), await plug(gateway, 'two'), await plug(gateway, 'three')]
    const url = gateway.address('mcp', 1)
    await post(url, 'initialize', { headers: two.seat.headers })
    await three.listening.close()
    const call = { params: { name: 'pay' } }
    const late = { ...call, headers: three.seat.headers, session: 'session of two' }
    expect((await post(url, 'tools/call', late)).status).toBe(404)
    expect((await post(url, 'tools/call', { ...call, headers: three.seat.headers })).status).toBe(200)
    expect([one.seat.faults(), two.seat.faults()]).toEqual([[], []])
    const both = `${one.listening.origin}${one.listening.path}`
    expect((await post(both, 'tools/call', { ...call, headers: two.seat.headers })).status).toBe(404)
    await post(url, 'tools/list')
    expect([one.seat.faults().length, two.seat.faults().length]).toEqual([1, 1])
    expect(await (await post(url, 'tools/call', call)).json()).toMatchObject({ error: { code: -32601 } })
    const faults = [expect.stringContaining('marks of two runs'), expect.stringContaining('neither the mark nor')]
    expect([one.seat.faults(), two.seat.faults()]).toEqual([faults, faults])
  })
})

test('a gateway that is not open has no slots', async () => {
  await expect(plug(createGateway(), 'early')).rejects.toThrow('the gateway is not open')
})
