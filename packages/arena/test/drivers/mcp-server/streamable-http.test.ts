/** MCP over HTTP: statuses, sessions, streams and what is refused. */
import { describe, expect, it } from 'vitest'
import { createMcpServerDriver } from '../../../src/drivers/mcp-server/driver.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'
import { BOTH, openServer, settle } from '../../support/mcp-server.ts'

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const pong = { jsonrpc: '2.0', id: 1, result: {} }
const chatty = {
  tools: [
    {
      name: 't',
      responses: [
        {
          content: [],
          'x-joust-during': [{ send: { method: 'notifications/message', params: { level: 'info', data: 'a' } } }],
        },
      ],
    },
  ],
}
const callTool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't' } }

describe('POST', () => {
  it('is answered as JSON when nothing precedes the answer', async () => {
    const { post } = await openServer(chatty)
    const { status, headers, messages } = await post(ping)
    expect([status, headers['content-type'], messages]).toEqual([200, 'application/json', [pong]])
  })

  it('is answered as a stream that ends when something does', async () => {
    const { post } = await openServer(chatty)
    const answer = await post(callTool)
    await settle()
    expect(answer.headers['content-type']).toBe('text/event-stream')
    expect(answer.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'a' } },
      { jsonrpc: '2.0', id: 1, result: { content: [] } },
    ])
    expect(answer.ended()).toBe(true)
  })

  it('is answered in a form that the client accepts', async () => {
    const { post, stage } = await openServer(chatty)
    const streamed = await post(ping, { accept: 'text/event-stream' })
    await settle()
    expect([streamed.headers['content-type'], streamed.messages]).toEqual(['text/event-stream', [pong]])
    const plain = await post(callTool, { accept: 'application/json' })
    expect([plain.headers['content-type'], plain.messages]).toEqual([
      'application/json',
      [{ jsonrpc: '2.0', id: 1, result: { content: [] } }],
    ])
    expect(stage.reports.map(({ code }) => code)).toEqual(['not-delivered'])
  })

  it('of a batch is answered as a batch, in any order of its items', async () => {
    const { post, stage } = await openServer({})
    const batch = [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }, 7, { ...ping, id: 2 }]
    const answer = await post(batch)
    expect(JSON.parse(await answer.text())).toEqual(
      expect.arrayContaining([
        pong,
        { jsonrpc: '2.0', id: 2, result: {} },
        { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      ]),
    )
    expect(stage.events.map(({ surface }) => surface).toSorted()).toEqual(['notifications/initialized', 'ping', 'ping'])
  })

  it('with only notifications and replies is accepted', async () => {
    const { post } = await openServer({})
    const answer = await post([
      { jsonrpc: '2.0', method: 'notifications/a' },
      { jsonrpc: '2.0', method: 'notifications/b' },
    ])
    expect([answer.status, await answer.text()]).toEqual([202, ''])
  })

  it.each<[string, string, number]>([
    ['no JSON', '{"jsonrpc', -32700],
    ['nothing at all', '', -32700],
    ['no message', '{"jsonrpc":"2.0"}', -32600],
    ['empty batch', '[]', -32600],
    ['too much', `"${'x'.repeat(200_000)}"`, -32700],
  ])('with %s is recorded and answered with 400', async (_, body, code) => {
    const { call, stage } = await openServer({})
    const answer = await call('POST', BOTH, body)
    expect(answer.status).toBe(400)
    expect(answer.messages).toMatchObject([{ jsonrpc: '2.0', id: null, error: { code } }])
    expect(stage.messages).toMatchObject([
      { direction: 'request', flow: 'in', surface: '', content: body.slice(0, 100_000), malformed: expect.any(String) },
      { direction: 'response', flow: 'out', surface: '', content: { code } },
    ])
    expect(stage.reports.map((report) => report.code)).toEqual(['message-malformed'])
    expect(stage.events).toEqual([])
  })

  it('of a reply to nothing is recorded and reported', async () => {
    const { post, stage } = await openServer({})
    const { status } = await post({ jsonrpc: '2.0', id: 'never', result: { a: 1 } })
    expect(status).toBe(202)
    expect(stage.messages).toEqual([
      { direction: 'response', flow: 'in', surface: '', content: { a: 1 }, phase: 'phase-1' },
    ])
    expect(stage.reports.map(({ code }) => code)).toEqual(['reply-unexpected'])
    expect(stage.events).toEqual([])
  })
})

describe('sessions', () => {
  it('begin with initialize, several at once, and are in the trace', async () => {
    const { initialize, post, stage } = await openServer({})
    const [first, second] = [await initialize(), await initialize()]
    expect(first).not.toEqual(second)
    await post(ping, second)
    await post(ping, first)
    await post(ping)
    const pings = stage.messages.filter(({ surface, flow }) => surface === 'ping' && flow === 'in')
    expect(pings.map(({ session }) => session)).toEqual([second['mcp-session-id'], first['mcp-session-id'], undefined])
  })

  it('that are unknown get 404, and their messages are recorded', async () => {
    const { post, listen, call, stage } = await openServer({})
    const lost = { 'mcp-session-id': 'lost' }
    expect([(await post(ping, lost)).status, (await listen(lost)).status, (await call('DELETE', lost)).status]).toEqual(
      [404, 404, 404],
    )
    expect(stage.messages).toMatchObject([{ content: JSON.stringify(ping), malformed: 'Session not found' }])
    expect(stage.events).toEqual([])
  })

  it('may restart with a lost id', async () => {
    const { post } = await openServer({})
    const { status, headers } = await post({ ...ping, method: 'initialize' }, { 'mcp-session-id': 'old' })
    expect([status, headers['mcp-session-id']]).toEqual([200, 'id-1'])
  })

  it('end with DELETE, and their streams with them', async () => {
    const { initialize, listen, call, post } = await openServer({})
    const session = await initialize()
    const stream = await listen(session)
    expect((await call('DELETE', session)).status).toBe(200)
    await settle()
    expect(stream.ended()).toBe(true)
    expect((await post(ping, session)).status).toBe(404)
  })
})

describe('the listening stream', () => {
  it('may be opened before there is a session', async () => {
    const { listen, initialize, driver, stage } = await openServer({})
    const stream = await listen()
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream'])
    const session = await initialize()
    await driver.send({ method: 'notifications/x' }, stage.scene())
    await settle()
    expect(stream.messages).toEqual([{ jsonrpc: '2.0', method: 'notifications/x' }])
    expect(stage.messages.at(-1)).toMatchObject({ surface: 'notifications/x', session: session['mcp-session-id'] })
  })

  it('needs Accept: text/event-stream', async () => {
    const { call } = await openServer({})
    expect((await call('GET', { accept: 'text/html' })).status).toBe(406)
  })

  it('is resumed after the last received event', async () => {
    const { initialize, listen, driver, stage } = await openServer({})
    const session = await initialize()
    const first = await listen(session)
    for (const method of ['notifications/a', 'notifications/b']) await driver.send({ method }, stage.scene())
    await settle()
    first.leave()
    await settle()
    await driver.send({ method: 'notifications/c' }, stage.scene())
    const again = await listen({ ...session, 'last-event-id': first.events[0]?.id ?? '' })
    await settle()
    expect(again.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/b' },
      { jsonrpc: '2.0', method: 'notifications/c' },
    ])
    // What is sent again is not recorded again.
    const out = stage.messages.filter(({ flow, direction }) => flow === 'out' && direction === 'request')
    expect(out.map(({ surface }) => surface)).toEqual(['notifications/a', 'notifications/b', 'notifications/c'])
  })

  it.each(['nonsense', '1-x', '9-0', '-'])('with the unknown event %j begins anew', async (id) => {
    const { initialize, listen } = await openServer({})
    const stream = await listen({ ...(await initialize()), 'last-event-id': id })
    await settle()
    expect([stream.status, stream.messages]).toEqual([200, []])
  })

  it('cannot be used to read messages of another session', async () => {
    const { initialize, listen, driver, stage } = await openServer({})
    const mine = await listen(await initialize())
    await driver.send({ method: 'notifications/mine' }, stage.scene())
    await settle()
    expect(mine.events[0]?.id).toBe('1-1')
    const other = await listen({ ...(await initialize()), 'last-event-id': '1-0' })
    await settle()
    expect(other.messages).toEqual([])
  })
})

describe('an answer whose stream broke off', () => {
  const asking = {
    tools: [{ name: 't', responses: [{ content: [{ type: 'text', text: 'hello' }] }] }],
    elicitations: [{ message: 'who?' }],
  }

  it('is sent to a client that reconnects', async () => {
    const { initialize, post, listen, stage, clock } = await openServer(asking)
    const session = await initialize('2025-11-25')
    const call = await post(callTool, session)
    await settle()
    expect(call.events[0]).toMatchObject({ data: '', id: '1-0', retry: 1000 })
    call.leave()
    await clock.advance(30_000)
    expect(stage.messages.filter(({ surface, flow }) => surface === 'tools/call' && flow === 'out')).toEqual([])
    const again = await listen({ ...session, 'last-event-id': '1-1' })
    await settle()
    expect(again.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: asking.tools[0]?.responses[0] }])
    expect(again.ended()).toBe(true)
    expect(stage.messages.filter(({ surface, flow }) => surface === 'tools/call' && flow === 'out')).toHaveLength(1)
  })

  it('is reported when no client reconnects, and the phase continues', async () => {
    const { initialize, post, driver, stage, clock } = await openServer(asking)
    const call = await post(callTool, await initialize())
    call.leave()
    await clock.advance(30_000)
    expect(stage.events.at(-1)?.surface).toBe('tools/call')
    await driver.close()
    expect(stage.reports).toEqual([
      { code: 'reply-missing', message: 'elicitation/create: no reply within 30000 ms' },
      { code: 'answer-undelivered', message: expect.stringContaining('tools/call') },
    ])
  })
})

describe('an answer that does not reach its peer', () => {
  const state = { tools: [{ name: 't' }], elicitations: [{ message: '?' }] }

  it('is reported although it was never written', async () => {
    const { post, driver, stage } = await openServer(state)
    const call = await post(callTool)
    await settle()
    call.leave()
    await settle()
    await driver.close()
    expect(stage.reports).toEqual([{ code: 'answer-undelivered', message: expect.stringContaining('tools/call') }])
  })

  it('is reported when the peer leaves while it is written', async () => {
    const stage = createFakeStage('mcp_server', { tools: [{ name: 't' }] })
    const leaving = new AbortController()
    const driver = createMcpServerDriver(contextOf(stage, createFakeClock()), {
      kind: 'http',
      async listen(handler) {
        const request = { method: 'POST', target: '/mcp', headers: {}, signal: leaving.signal }
        const end = async () => leaving.abort()
        const reply = { head() {}, async write() {}, end, destroy() {} }
        await handler({ ...request, body: new TextEncoder().encode(JSON.stringify(callTool)) }, reply)
        return { origin: '', close: async () => {} }
      },
    })
    await driver.open()
    expect(stage.messages.map(({ flow }) => flow)).toEqual(['in', 'out'])
    expect(stage.reports).toMatchObject([{ code: 'answer-undelivered' }])
  })

  it('is not reported where the protocol has none', async () => {
    const { post, driver, stage } = await openServer({ protocol_version: '2026-07-28' })
    const stream = await post({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} })
    await settle()
    stream.leave()
    await driver.close()
    expect(stage.reports).toEqual([])
  })
})

describe('rejected requests', () => {
  it.each([
    [{ host: 'evil.test' }],
    [{ host: 'evil.test:10001' }],
    [{ origin: 'http://evil.test' }],
    [{ origin: 'http://localhost.evil.test' }],
    [{ origin: 'null' }],
    [{ host: 'localhost', origin: 'https://evil.test' }],
    [{ host: '' }],
  ])('%j', async (headers) => {
    const { post, stage } = await openServer({})
    expect((await post(ping, headers)).status).toBe(403)
    expect(stage.messages).toMatchObject([{ malformed: expect.any(String), content: JSON.stringify(ping) }])
    expect(stage.events).toEqual([])
  })

  it.each([
    [{ host: 'localhost:10001' }],
    [{ host: '127.0.0.1' }],
    [{ host: '[::1]:10001', origin: 'http://[::1]:3000' }],
    [{ origin: 'http://localhost:8080' }],
  ])('not %j', async (headers) => {
    const { post } = await openServer({})
    expect((await post(ping, headers)).status).toBe(200)
  })

  it('other paths and methods', async () => {
    const { call, stage } = await openServer({})
    const status = async (method: string, path: string) => (await call(method, BOTH, undefined, path)).status
    expect(await status('GET', '/.well-known/oauth-protected-resource')).toBe(404)
    expect(await status('PUT', '/mcp')).toBe(405)
    expect(stage.messages).toEqual([])
    expect((await call('POST', BOTH, JSON.stringify(ping), '/')).status).toBe(200)
    expect((await call('POST', BOTH, JSON.stringify(ping), '/mcp?x=1')).status).toBe(200)
    expect((await call('POST', BOTH, JSON.stringify(ping), '/elsewhere')).status).toBe(404)
    expect(stage.messages.at(-1)).toMatchObject({ malformed: 'unknown path /elsewhere' })
  })
})

it.each(['GET', 'DELETE'])('the body of a %s is recorded', async (method) => {
  const { call, stage } = await openServer({})
  await call(method, { accept: 'text/event-stream' }, 'more')
  expect(stage.messages).toMatchObject([{ flow: 'in', content: 'more', malformed: `unexpected body of ${method}` }])
})

describe('close', () => {
  it('ends streams and calls, and tells the stage nothing more', async () => {
    const state = {
      tools: [{ name: 't', responses: [{ content: '{{undefined}}' }] }],
      elicitations: [{ message: '?' }],
    }
    const { post, listen, driver, stage, clock } = await openServer(state)
    const [stream, call] = [await listen(), await post(callTool)]
    await settle()
    const heard = [stage.messages.length, stage.events.length]
    await driver.close()
    await driver.close()
    await clock.advance(100_000)
    expect([stream.ended(), call.ended()]).toEqual([true, true])
    // Counting the event is up to the stage, which ignores what comes after the end.
    expect([stage.messages.length, stage.events.length - 1]).toEqual(heard)
    // But what the peer asked for and did not get is reported, by the end at the latest.
    expect(stage.reports.map(({ code }) => code)).toEqual(['answer-undelivered'])
    expect(clock.pending()).toBe(0)
  })
})
