/** §7.2.5, action by action: the exact request on the wire, and the events that its answer turns into. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { type Agent, events, json, openClient, say } from '../../support/a2a.ts'
import { settle } from '../../support/fake-clock.ts'

const actions = (...list: Value[]) => ({ actions: list })
const done = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } }
const answer =
  (result: unknown): Agent =>
  ({ id }, reply) =>
    json(reply, { jsonrpc: '2.0', id, result })

describe('actions', () => {
  it.each([
    'message/send',
    'tasks/get',
    'tasks/cancel',
    'tasks/pushNotificationConfig/set',
    'vendor/new',
    'agent/getAuthenticatedExtendedCard',
  ])('%s is a request, and its answer an event with the request beside it', async (method) => {
    const params = { wrong: [1, null], 'x-y': { a: 'b' } }
    const { perform, heard, stage } = await openClient(actions({ method, params }), answer(done))
    await perform()
    const body = { jsonrpc: '2.0', id: 1, method, params }
    expect(heard).toEqual([
      {
        line: 'POST /rpc',
        headers: {
          host: '127.0.0.1:10001',
          'content-type': 'application/json',
          accept: 'application/json',
          authorization: 'Bearer t',
          'content-length': String(JSON.stringify(body).length),
        },
        body,
      },
    ])
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'out', surface: method, content: params, phase: 'phase-1' },
      { direction: 'response', flow: 'in', surface: method, content: done, request: params, phase: 'phase-1' },
    ])
    expect(stage.events).toEqual([{ surface: method, content: done, phase: 'phase-1' }])
    expect(stage.reports).toEqual([])
  })

  it('params that are absent stay absent, and are recorded as empty', async () => {
    const { perform, heard, stage } = await openClient(actions({ method: 'tasks/get' }), answer(null))
    await perform()
    expect(heard[0]?.body).toEqual({ jsonrpc: '2.0', id: 1, method: 'tasks/get' })
    expect(stage.messages.map(({ content }) => content)).toEqual([{}, null])
  })

  it('an error is an event too', async () => {
    const error = { code: -32001, message: 'no', data: [1] }
    const { perform, stage } = await openClient(actions({ method: 'tasks/get' }), ({ id }, reply) =>
      json(reply, { jsonrpc: '2.0', id, error }, 400),
    )
    await perform()
    expect(stage.events).toEqual([{ surface: 'tasks/get', content: error, phase: 'phase-1' }])
    expect(stage.reports).toEqual([])
  })

  it('agent_card/get is a GET', async () => {
    const card = { name: 'Agent', url: 'http://elsewhere.test/', skills: [] }
    const { perform, heard, stage } = await openClient(actions({ method: 'agent_card/get' }), (_, reply) =>
      json(reply, card),
    )
    await perform()
    expect(heard).toEqual([
      {
        line: 'GET /.well-known/agent-card.json',
        headers: { host: '127.0.0.1:10001', accept: 'application/json', authorization: 'Bearer t' },
      },
    ])
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'out', surface: 'agent_card/get', content: {}, phase: 'phase-1' },
      { direction: 'response', flow: 'in', surface: 'agent_card/get', content: card, request: {}, phase: 'phase-1' },
    ])
    expect(stage.events).toEqual([{ surface: 'agent_card/get', content: card, phase: 'phase-1' }])
  })

  it('are sent in order, each filled when it is sent', async () => {
    const state = actions(
      { method: 'message/send', params: { a: '{{task}}' } },
      { method: 'tasks/get', params: { id: '{{task}}' } },
    )
    const { perform, heard, stage } = await openClient(state, answer(done))
    stage.values.set('task', 'early')
    stage.enter(state, [{ name: 'task', source: 'response', type: 'json_path', selector: '$.id' }])
    await perform()
    expect(heard.map(({ body }) => body)).toMatchObject([{ params: { a: 'early' } }, { params: { id: 't' } }])
  })

  it.each<[Value, string]>([
    ['message/send', 'actions[0]'],
    [{ params: {} }, 'actions[0]'],
    [{ method: 1 }, 'actions[0]'],
  ])('%j is skipped with a warning', async (action, path) => {
    const { perform, heard, stage } = await openClient(actions(action, { method: 'tasks/get' }), answer(1))
    await perform()
    expect(stage.reports).toMatchObject([{ code: 'action-malformed', path }])
    expect(heard).toHaveLength(1)
  })

  it('that are not a list are not actions', async () => {
    const { perform, heard, stage } = await openClient({ actions: { method: 'x' } }, answer(1))
    await perform()
    expect(stage.reports).toEqual([
      { code: 'state-malformed', message: 'actions: expected a list, got a mapping', path: 'actions' },
    ])
    expect(heard).toEqual([])
  })

  it.each([{}, null])('the state %j has none', async (state) => {
    const { perform, heard, stage } = await openClient(state, answer(1))
    await perform()
    expect([heard, stage.reports]).toEqual([[], []])
  })

  it('are dropped once the phase has ended; a pending one continues', async () => {
    const over = new AbortController()
    const state = actions({ method: 'message/stream' }, { method: 'tasks/get' }, { method: 'tasks/get' })
    const { perform, heard, stage } = await openClient(state, async ({ id }, reply) => {
      over.abort()
      await events(reply, id, [1, 2, 3])
    })
    await perform(over.signal)
    expect(heard).toHaveLength(1)
    expect(stage.events.map(({ content }) => content)).toEqual([1, 2, 3])
    expect(stage.reports).toEqual([
      {
        code: 'action-dropped',
        message: 'phase phase-1 ended before these actions were sent: tasks/get, tasks/get',
        path: 'actions[1]',
      },
    ])
  })
})

describe('streams', () => {
  const status = { kind: 'status-update', taskId: 't', contextId: 'c', status: { state: 'working' }, final: false }
  const artifact = { kind: 'artifact-update', taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [] } }
  const last = { ...status, status: { state: 'completed' }, final: true }

  it.each(['message/stream', 'tasks/resubscribe'])(
    '%s: every item is an event, projected by its kind',
    async (method) => {
      const items = [done, status, artifact, { odd: 1 }, last]
      const { perform, heard, stage } = await openClient(actions({ method, params: say('x') }), ({ id }, reply) =>
        events(reply, id, items),
      )
      await perform()
      expect(heard[0]?.headers.accept).toBe('text/event-stream')
      expect(stage.events.map(({ surface, content }) => [surface, content])).toEqual([
        [method, done],
        [method, status],
        ['task/status', status],
        [method, artifact],
        ['task/artifact', artifact],
        [method, { odd: 1 }],
        [method, last],
        ['task/status', last],
      ])
      expect(
        stage.messages.slice(1).every(({ direction, request }) => direction === 'response' && request !== undefined),
      ).toBe(true)
      expect(stage.reports).toEqual([])
    },
  )

  it('an error in a stream is an event under the method alone', async () => {
    const error = { code: -32603, message: 'no', kind: 'status-update' }
    const { perform, stage } = await openClient(actions({ method: 'message/stream' }), async ({ id }, reply) => {
      reply.head(200, { 'content-type': 'text/event-stream' })
      await reply.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, error })}\n\n`)
    })
    await perform()
    expect(stage.events).toEqual([{ surface: 'message/stream', content: error, phase: 'phase-1' }])
  })

  it('plain JSON instead of a stream is one item', async () => {
    const { perform, stage } = await openClient(actions({ method: 'message/stream' }), answer(last))
    await perform()
    expect(stage.events.map(({ surface }) => surface)).toEqual(['message/stream', 'task/status'])
  })

  it('a stream instead of plain JSON is read as one', async () => {
    const { perform, stage } = await openClient(actions({ method: 'vendor/stream' }), ({ id }, reply) =>
      events(reply, id, [1, 2]),
    )
    await perform()
    expect(stage.events).toMatchObject([
      { surface: 'vendor/stream', content: 1 },
      { surface: 'vendor/stream', content: 2 },
    ])
  })

  it('may take any time between items', async () => {
    const { perform, stage, clock } = await openClient(actions({ method: 'message/stream' }), ({ id }, reply) => {
      reply.head(200, { 'content-type': 'text/event-stream' })
      clock.setTimer(3_600_000, () => {
        void reply.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: last })}\n\n`)
      })
    })
    const performing = perform()
    await clock.advance(3_600_000)
    await performing
    expect(stage.events).toHaveLength(2)
    expect(stage.reports).toEqual([])
  })

  it('is left when it stays open after its last item', async () => {
    const { perform, stage, clock, heard } = await openClient(
      actions({ method: 'message/stream' }, { method: 'tasks/get' }),
      async ({ id, method }, reply) => {
        if (method === 'tasks/get') return json(reply, { jsonrpc: '2.0', id, result: 1 })
        reply.head(200, { 'content-type': 'text/event-stream' })
        await reply.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: last })}\n\n`)
      },
    )
    const performing = perform()
    await clock.advance(29_999)
    expect(heard).toHaveLength(1)
    await clock.advance(1)
    await performing
    expect(heard).toHaveLength(2)
    expect(stage.reports).toEqual([])
    expect(clock.pending()).toBe(0)
  })
})

describe('send', () => {
  it('is not awaited, except by the end of the phase', async () => {
    let finish = () => {}
    const { driver, perform, stage, heard } = await openClient({}, async ({ id }, reply) => {
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      await events(reply, id, [1, 2])
    })
    const params = { a: '{{not filled twice}}' }
    const { reply } = await driver.send({ method: 'message/stream', params }, stage.scene())
    expect(stage.messages).toMatchObject([{ flow: 'out', surface: 'message/stream', content: params }])
    let performed = false
    const performing = perform()?.then(() => {
      performed = true
    })
    await settle()
    expect(performed).toBe(false)
    finish()
    await reply
    await performing
    expect(heard[0]?.body).toMatchObject({ params })
    expect(stage.events.map(({ content }) => content)).toEqual([1, 2])
  })

  it('looks for the card of its agent while entry actions go on', async () => {
    let release = () => {}
    const entering = new Promise<void>((resolve) => {
      release = resolve
    })
    const { driver, perform, stage, heard } = await openClient(
      {},
      ({ id, method }, reply) => json(reply, method === '' ? { url: '/a2a' } : { jsonrpc: '2.0', id, result: 1 }),
      { path: '/' },
    )
    const { receive } = stage
    stage.receive = async (message, then) => {
      await entering
      await receive(message, then)
    }
    await driver.send({ method: 'message/send' }, stage.scene())
    await settle()
    expect(heard.map(({ line }) => line)).toEqual(['GET /.well-known/agent-card.json', 'POST /a2a'])
    expect(stage.events).toEqual([])
    release()
    await perform()
    expect(stage.events.map(({ surface }) => surface)).toEqual(['message/send'])
  })
})

it('x-joust-headers: headers of each request, and of one action', async () => {
  const state = {
    'x-joust-headers': { 'x-who': 'mallory', Authorization: null },
    ...actions({ method: 'tasks/get', params: {} }, { method: 'tasks/get', 'x-joust-headers': { 'A2A-Version': '9' } }),
  }
  const { perform, heard } = await openClient(state, answer(done))
  await perform()
  expect(heard.map(({ headers }) => headers)).toMatchObject([
    { 'x-who': 'mallory' },
    { 'x-who': 'mallory', 'a2a-version': '9' },
  ])
  expect(heard[0]?.headers).not.toHaveProperty('authorization')
})
