/** §7.1.6: what `on_enter: send` puts on the wire, to whom, and what happens next. */
import { describe, expect, it } from 'vitest'
import { openServer, settle } from '../../support/mcp-server.ts'

const changed = { method: 'notifications/tools/list_changed' }
const onWire = { jsonrpc: '2.0', ...changed }
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('a notification', () => {
  it('reaches every open session once, and is recorded for each', async () => {
    const { initialize, listen, driver, stage } = await openServer({})
    const sessions = [await initialize(), await initialize()]
    const streams = [await listen(sessions[0]), await listen(sessions[0]), await listen(sessions[1])]
    const params = { odd: [1], text: 'as written {{x}}' }
    await driver.send({ ...changed, params }, stage.scene())
    await settle()
    const sent = [{ ...onWire, params }]
    expect(streams.map(({ messages }) => messages)).toEqual([[], sent, sent])
    expect(stage.messages.slice(-2)).toEqual(
      sessions.map((session) => ({
        direction: 'request',
        flow: 'out',
        surface: changed.method,
        content: params,
        session: session['mcp-session-id'],
        phase: 'phase-1',
      })),
    )
  })

  it('goes to the stream of a pending answer when no client listens', async () => {
    const state = { tools: [{ name: 't' }], elicitations: [{ message: '?' }] }
    const { initialize, post, driver, stage } = await openServer(state)
    const session = await initialize()
    const call = await post({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 't' } }, session)
    await driver.send(changed, stage.scene())
    await settle()
    expect(call.messages).toMatchObject([{ method: 'elicitation/create' }, onWire])
  })

  it('waits for a stream to open', async () => {
    const { initialize, listen, driver, stage } = await openServer({})
    const session = await initialize()
    await driver.send(changed, stage.scene())
    expect(stage.messages.at(-1)?.surface).toBe('initialize')
    const stream = await listen(session)
    await settle()
    expect(stream.messages).toEqual([onWire])
    expect(stage.messages.at(-1)?.surface).toBe(changed.method)
  })

  it('waits for the next answer of a client that never listens', async () => {
    const { initialize, post, driver, stage } = await openServer({})
    const session = await initialize()
    await driver.send(changed, stage.scene())
    const answer = await post(ping, session)
    await settle()
    expect(answer.messages).toEqual([onWire, { jsonrpc: '2.0', id: 1, result: {} }])
    expect((await post(ping, session)).headers['content-type']).toBe('application/json')
  })

  it('waits for the first session when there is none, and for its handshake', async () => {
    const { initialize, post, listen, driver, stage } = await openServer({})
    const early = await listen()
    await driver.send(changed, stage.scene())
    // A probe that fails is not a handshake.
    await post({ jsonrpc: '2.0', id: 1, method: 'server/discover' })
    await settle()
    expect(early.messages).toEqual([])
    await initialize()
    await settle()
    expect(early.messages).toEqual([onWire])
    expect(stage.messages.map(({ surface, flow }) => `${flow} ${surface}`)).toEqual([
      'in server/discover',
      'out server/discover',
      'in initialize',
      'out initialize',
      `out ${changed.method}`,
    ])
    const second = await listen(await initialize())
    await settle()
    expect(second.messages).toEqual([])
  })

  it('reaches a client without sessions', async () => {
    const { ask, listen, driver, stage } = await openServer({})
    const stream = await listen()
    await ask('ping')
    await driver.send(changed, stage.scene())
    await settle()
    expect(stream.messages).toEqual([onWire])
  })

  it('reaches every listener without a session as well', async () => {
    const { ask, initialize, listen, driver, stage } = await openServer({})
    const streams = [await listen(await initialize()), await listen(), await listen()]
    await ask('ping')
    await driver.send(changed, stage.scene())
    await settle()
    expect(streams.map(({ messages }) => messages)).toEqual([[onWire], [onWire], [onWire]])
    expect(stage.messages.filter(({ surface }) => surface === changed.method)).toHaveLength(3)
  })

  it('that was never delivered is reported when the driver closes', async () => {
    const { initialize, driver, stage } = await openServer({})
    await driver.send(changed, stage.scene())
    await initialize()
    await driver.close()
    expect(stage.reports).toEqual([{ code: 'not-delivered', message: `${changed.method}: no peer was connected` }])
  })

  it('is queued in bounded numbers', async () => {
    const { driver, stage } = await openServer({})
    for (let count = 0; count < 103; count++) await driver.send({ method: `notifications/${count}` }, stage.scene())
    expect(stage.reports.map(({ message }) => message)).toEqual(
      [0, 1, 2].map((count) => `notifications/${count}: the queue for the peer is full`),
    )
  })
})

describe('a request', () => {
  it.each(['elicitation/create', 'sampling/createMessage', 'roots/list', 'ping', 'vendor/anything'])(
    '%s has an id of ours, and its reply is an event',
    async (method) => {
      const { initialize, listen, post, driver, stage } = await openServer({})
      const session = await initialize()
      const stream = await listen(session)
      const { reply } = await driver.send({ method, params: { a: 1 } }, stage.scene())
      await settle()
      expect(stream.messages).toEqual([{ jsonrpc: '2.0', id: 'id-2', method, params: { a: 1 } }])
      stage.enter({})
      await post({ jsonrpc: '2.0', id: 'id-2', result: { secret: 's' } }, session)
      await reply
      const shared = { surface: method, session: 'id-1' }
      expect(stage.messages.slice(-2)).toEqual([
        { direction: 'request', flow: 'out', content: { a: 1 }, phase: 'phase-1', ...shared },
        { direction: 'response', flow: 'in', content: { secret: 's' }, phase: 'phase-2', ...shared },
      ])
      expect(stage.events.at(-1)).toEqual({ surface: method, content: { secret: 's' }, phase: 'phase-2' })
    },
  )

  it('goes only to the most recently active session', async () => {
    const { initialize, listen, post, driver, stage } = await openServer({})
    const [first, second] = [await initialize(), await initialize()]
    const streams = [await listen(first), await listen(second)]
    await post(ping, first)
    await driver.send({ method: 'roots/list' }, stage.scene())
    await settle()
    expect(streams.map(({ messages }) => messages)).toEqual([
      [{ jsonrpc: '2.0', id: 'id-3', method: 'roots/list' }],
      [],
    ])
  })

  it('that fails has the error as its reply', async () => {
    const { initialize, listen, post, driver, stage } = await openServer({})
    const session = await initialize()
    await listen(session)
    const { reply } = await driver.send({ method: 'roots/list' }, stage.scene())
    await post({ jsonrpc: '2.0', id: 'id-2', error: { code: -32601, message: 'no' } }, session)
    await reply
    expect(stage.messages.at(-1)).toMatchObject({ direction: 'response', content: { code: -32601, message: 'no' } })
  })

  it('without a reply is reported after a timeout; a late reply is still an event', async () => {
    const { initialize, listen, post, driver, stage, clock } = await openServer({})
    const session = await initialize()
    const { reply } = await driver.send({ method: 'roots/list' }, stage.scene())
    await clock.advance(60_000)
    expect(stage.reports).toEqual([])
    await listen(session)
    await clock.advance(30_000)
    await reply
    expect(stage.reports).toEqual([{ code: 'reply-missing', message: 'roots/list: no reply within 30000 ms' }])
    await post({ jsonrpc: '2.0', id: 'id-2', result: {} }, session)
    expect(stage.events.at(-1)?.surface).toBe('roots/list')
    expect(stage.reports).toHaveLength(1)
  })

  it('ends with the run', async () => {
    const run = new AbortController()
    const { driver, stage, clock } = await openServer({}, [], { signal: run.signal })
    const waiting = await driver.send({ method: 'roots/list' }, stage.scene())
    run.abort()
    await waiting.reply
    const late = await driver.send({ method: 'roots/list' }, stage.scene())
    await late.reply
    expect(clock.pending()).toBe(0)
    expect(stage.reports).toEqual([])
  })
})
