/** §7.2.4, key by key and event by event: a small state, and the exact message it must produce. */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { openServer, say } from '../../support/a2a.ts'

const ORIGIN = 'http://127.0.0.1:10001'
const minimalCard = {
  protocolVersion: '0.3.0',
  name: 'oatf-server',
  description: 'An agent.',
  version: '1.0.0',
  url: `${ORIGIN}/`,
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  supportsAuthenticatedExtendedCard: true,
}
const result = (content: unknown) => ({ jsonrpc: '2.0', id: 7, result: content })
const error = (code: number) => ({ jsonrpc: '2.0', id: 7, error: { code, message: expect.any(String) } })

describe('agent_card', () => {
  it.each<[string, Value, Value]>([
    ['goes out as written', { agent_card: { url: 7, x: [null], skills: 'no' } }, { url: 7, x: [null], skills: 'no' }],
    ['gets only an absent url', { agent_card: { name: 'evil' } }, { name: 'evil', url: `${ORIGIN}/` }],
    ['can be no mapping', { agent_card: 'a string' }, 'a string'],
    ['can be null', { agent_card: null }, null],
    ['is a minimal one when omitted', {}, minimalCard],
  ])('%s', async (_, state, card) => {
    const { ask, stage } = await openServer(state)
    const { status, headers, text } = await ask('GET', '/.well-known/agent-card.json')
    expect({ status, headers, card: JSON.parse(text) }).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json' },
      card,
    })
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'in', surface: 'agent_card/get', content: {}, phase: 'phase-1' },
      { direction: 'response', flow: 'out', surface: 'agent_card/get', content: card, phase: 'phase-1' },
    ])
    expect(stage.events).toEqual([{ surface: 'agent_card/get', content: {}, phase: 'phase-1' }])
  })

  it('is filled at the moment of use, and is the one of the phase', async () => {
    const { ask, stage } = await openServer({ agent_card: { url: 'u', name: '{{who}}' } })
    stage.values.set('who', 'mallory')
    expect(JSON.parse((await ask('GET', '/.well-known/agent-card.json')).text)).toEqual({ url: 'u', name: 'mallory' })
    stage.enter({ agent_card: { url: 'u', name: 'second' } })
    expect(JSON.parse((await ask('GET', '/.well-known/agent-card.json')).text)).toEqual({ url: 'u', name: 'second' })
  })

  it.each(['/.well-known/agent.json', '/agents/a/.well-known/agent-card.json', '/.well-known/agent-card.json?v=1'])(
    'is also found at %s',
    async (path) => {
      const { ask, stage } = await openServer({ agent_card: { url: 'u' } })
      expect(await ask('GET', path)).toMatchObject({ status: 200, text: '{"url":"u"}' })
      expect(stage.events).toHaveLength(1)
    },
  )

  it('answers agent/getAuthenticatedExtendedCard', async () => {
    const { call, stage } = await openServer({ agent_card: { name: 'evil' } })
    expect(await call('agent/getAuthenticatedExtendedCard')).toEqual(result({ name: 'evil', url: `${ORIGIN}/` }))
    expect(stage.events.map(({ surface }) => surface)).toEqual(['agent/getAuthenticatedExtendedCard'])
  })
})

describe('x-joust-signature', () => {
  const written = {
    ...{ name: 'tariff', description: '', version: '1', url: 'u', capabilities: { streaming: false, extensions: [] } },
    ...{ supportedInterfaces: [{ url: 'u', protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }] },
    ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [], unknown: 'x' },
  }
  const canonical =
    '{"capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],' +
    '"description":"","name":"tariff","skills":[],' +
    '"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"u"}],"version":"1"}'
  const sign = async (signature: Value, card: Value = written) => {
    const { ask, stage } = await openServer({ agent_card: card, 'x-joust-signature': signature })
    const answer = JSON.parse((await ask('GET', '/.well-known/agent-card.json')).text)
    const keys = JSON.parse((await ask('GET', '/.well-known/jwks.json')).text || 'null')
    return { card: answer, keys, stage, signatures: answer.signatures ?? [] }
  }
  const headerOf = (one: { protected: string }) => JSON.parse(Buffer.from(one.protected, 'base64url').toString())
  const verifies = (payload: string, one: { protected: string; signature: string }, jwk: JsonWebKey) => {
    const input = Buffer.from(`${one.protected}.${Buffer.from(payload).toString('base64url')}`)
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
    return verify('sha256', input, key, Buffer.from(one.signature, 'base64url'))
  }

  it('signs the canonical card: fields of A2A 1.0, without those that have default values and are not required', async () => {
    const { card, keys, signatures } = await sign({ key: 'operator' })
    const { signatures: _, ...rest } = card
    expect(rest).toEqual(written)
    expect(signatures.map(headerOf)).toEqual([{ alg: 'ES256', typ: 'JOSE', kid: 'operator' }])
    expect(keys).toEqual({ keys: [expect.objectContaining({ kid: 'operator', alg: 'ES256', crv: 'P-256' })] })
    expect(keys.keys[0]).not.toHaveProperty('d')
    expect(verifies(canonical, signatures[0], keys.keys[0])).toBe(true)
    expect(verifies(canonical.replace('tariff', 'tarif'), signatures[0], keys.keys[0])).toBe(false)
  })

  it('a key is the same in each run; another name is another key', async () => {
    const [one, same, other] = await Promise.all(['a', 'a', 'b'].map((key) => sign({ key, kid: 'operator' })))
    expect(one?.keys).toEqual(same?.keys)
    expect(one?.keys.keys[0].x).not.toBe(other?.keys.keys[0].x)
    expect(verifies(canonical, other?.signatures[0], one?.keys.keys[0])).toBe(false)
  })

  it('`of` is the card as it was signed, `jku` goes into the header', async () => {
    const { card, keys, signatures } = await sign({
      key: 'a',
      of: { name: 'old', url: null },
      jku: 'http://b/{{none}}',
    })
    expect(card.name).toBe('tariff')
    expect(headerOf(signatures[0])).toMatchObject({ jku: 'http://b/' })
    expect(verifies(canonical, signatures[0], keys.keys[0])).toBe(false)
    expect(verifies(canonical.replace('tariff', 'old'), signatures[0], keys.keys[0])).toBe(true)
  })

  it('`alg: none` has no signature', async () => {
    const { signatures } = await sign({ key: 'a', alg: 'none' })
    expect(signatures).toEqual([{ protected: expect.any(String), signature: '' }])
    expect(headerOf(signatures[0])).toMatchObject({ alg: 'none' })
  })

  it('a list makes several, after those of the card', async () => {
    const own = { protected: 'p', signature: 's' }
    const { signatures, keys } = await sign([{ key: 'a' }, { key: 'b' }], { ...written, signatures: [own] })
    expect([signatures[0], signatures.length, keys.keys.length]).toEqual([own, 3, 2])
    expect(verifies(canonical, signatures[2], keys.keys[1])).toBe(true)
  })

  it.each<[string, Value]>([
    ['text', 'a'],
    ['no key', {}],
    ['another algorithm', { key: 'a', alg: 'HS256' }],
  ])('%s is reported, and the card is sent unsigned', async (_, signature) => {
    const { card, stage } = await sign(signature)
    expect(card).not.toHaveProperty('signatures')
    expect(stage.reports[0]).toMatchObject({ code: 'state-malformed', path: 'x-joust-signature' })
  })
})

describe('task/push', () => {
  const task = { id: 't', contextId: 'c', status: { state: 'completed' } }
  it.each<[string, Value, Value]>([
    ['of A2A 0.3', { kind: 'task', ...task }, { kind: 'task', ...task }],
    ['of A2A 1.0', { task: { ...task, status: { state: 'TASK_STATE_COMPLETED' } } }, { kind: 'task', ...task }],
    [
      'a message of A2A 1.0',
      { message: { role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
      { kind: 'message', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] },
    ],
  ])('a push notification %s is recorded and accepted, from any client and at any path', async (_, body, content) => {
    const { ask, stage } = await openServer({})
    expect(await ask('POST', '/hook', JSON.stringify(body))).toMatchObject({ status: 200, text: '' })
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'in', surface: 'task/push', content, phase: 'phase-1' },
    ])
    expect(stage.events).toEqual([{ surface: 'task/push', content, phase: 'phase-1' }])
    expect(stage.reports).toEqual([])
  })

  it.each(['{"task":7}', '{"kind":"x"}', '{"task":', '[]', '{"method":"task/push","task":{}}'])(
    '%s is no push notification',
    async (body) => {
      const { post, stage } = await openServer({})
      await post(body)
      expect(stage.events).toEqual([])
    },
  )
})

describe('task_responses', () => {
  it('answers message/send; request and response are in the trace without their envelope', async () => {
    const content = { id: 't', contextId: 'c', kind: 'task', status: { state: 'working' }, xExtra: [1] }
    const { call, stage } = await openServer({ task_responses: [{ content }] })
    expect(await call('message/send', say('hi'))).toEqual(result(content))
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'in', surface: 'message/send', content: say('hi'), phase: 'phase-1' },
      { direction: 'response', flow: 'out', surface: 'message/send', content, phase: 'phase-1' },
    ])
    expect(stage.events).toEqual([{ surface: 'message/send', content: say('hi'), phase: 'phase-1' }])
  })

  it.each<[string, Value, Value]>([
    ['a Task gets what it leaves out', { status: {} }, { status: {}, id: 'id-1', contextId: 'id-2', kind: 'task' }],
    [
      'a Task keeps what it has',
      { status: {}, id: 9, contextId: null },
      { status: {}, id: 9, contextId: null, kind: 'task' },
    ],
    ['artifacts make a Task', { artifacts: [] }, { artifacts: [], id: 'id-1', contextId: 'id-2', kind: 'task' }],
    ['history makes a Task', { history: [1] }, { history: [1], id: 'id-1', contextId: 'id-2', kind: 'task' }],
    [
      'a Message gets messageId and kind',
      { role: 'agent', parts: [] },
      { role: 'agent', parts: [], messageId: 'id-1', kind: 'message' },
    ],
    ['a Message by kind', { kind: 'message', x: 1 }, { kind: 'message', x: 1, messageId: 'id-1' }],
    ['a wrong status is left alone', { status: 'completed', artifacts: [] }, { status: 'completed', artifacts: [] }],
    ['another kind is left alone', { kind: 'status-update', status: {} }, { kind: 'status-update', status: {} }],
    ['any other mapping', { nonsense: true }, { nonsense: true }],
    ['text', 'text', 'text'],
    ['a list', [1, 'a'], [1, 'a']],
    ['null', null, null],
  ])('%s', async (_, content, sent) => {
    const { call } = await openServer({ task_responses: [{ content }] })
    expect(await call('message/send', {})).toEqual(result(sent))
  })

  it('takes the first entry that matches, else the one without when, and fills it with the request', async () => {
    const { call } = await openServer({
      task_responses: [
        { when: { 'message.role': 'user' }, content: { said: '{{request.message.messageId}}' } },
        { content: { fallback: true } },
      ],
    })
    expect(await call('message/send', say('x'))).toEqual(result({ said: 'm' }))
    expect(await call('message/send', {})).toEqual(result({ fallback: true }))
  })

  it('sees itself in its templates', async () => {
    const content = { kind: 'message', messageId: 'a', parts: [{ kind: 'text', text: '{{response.messageId}}' }] }
    const { call } = await openServer({ task_responses: [{ content }] })
    expect(await call('message/send')).toEqual(result({ ...content, parts: [{ kind: 'text', text: 'a' }] }))
  })

  const empty = { status: { state: 'completed' }, id: 'id-1', contextId: 'id-2', kind: 'task' }
  it.each<[string, Value]>([
    ['omitted', {}],
    ['no entry matches', { task_responses: [{ when: { x: 'y' }, content: 'no' }] }],
    ['no content', { task_responses: [{ synthesize: { prompt: 'p' } }] }],
    ['no list', { task_responses: 'none' }],
    ['no state', null],
  ])('%s: an empty completed task', async (_, state) => {
    const { call } = await openServer(state)
    expect(await call('message/send', say('x'))).toEqual(result(empty))
  })

  it('is answered from the phase in which the message arrived', async () => {
    const { call, stage } = await openServer({ task_responses: [{ content: 1 }] })
    stage.enter({ task_responses: [{ content: 2 }] })
    expect(await call('message/send', say('x'))).toEqual(result(2))
    expect(stage.messages.map(({ phase }) => phase)).toEqual(['phase-2', 'phase-2'])
  })
})

describe('message/stream', () => {
  const ids = { taskId: 't', contextId: 'c' }
  const status = { state: 'completed', message: { x: 1 }, timestamp: 'now' }
  const task = { id: 't', contextId: 'c', kind: 'task', status, artifacts: [{ artifactId: 'a' }, 'odd'] }
  it.each<[string, Value, readonly Value[]]>([
    [
      'wire 6: a Task: itself, its status, its artifacts, and what ends the stream',
      task,
      [
        task,
        { kind: 'status-update', ...ids, status, final: false },
        { kind: 'artifact-update', ...ids, artifact: { artifactId: 'a' } },
        { kind: 'artifact-update', ...ids, artifact: 'odd' },
        { kind: 'status-update', ...ids, status, final: true },
      ],
    ],
    [
      'a Task without a status',
      { kind: 'task', id: 1, contextId: 2, history: [] },
      [{ kind: 'task', id: 1, contextId: 2, history: [] }],
    ],
    [
      'a Task of artifacts alone',
      { kind: 'task', id: 't', contextId: 'c', artifacts: [{ artifactId: 'a' }] },
      [
        { kind: 'task', id: 't', contextId: 'c', artifacts: [{ artifactId: 'a' }] },
        { kind: 'artifact-update', ...ids, artifact: { artifactId: 'a' } },
      ],
    ],
    ['a Message', { kind: 'message', messageId: 'm', parts: [] }, [{ kind: 'message', messageId: 'm', parts: [] }]],
    ['anything else, raw', { status: 'odd', artifacts: [1] }, [{ status: 'odd', artifacts: [1] }]],
    ['text with line breaks', 'a\nb\r\n\r\nc', ['a\nb\r\n\r\nc']],
  ])('%s', async (_, content, items) => {
    const { stream, stage } = await openServer({ task_responses: [{ content }] })
    expect(await stream('message/stream', say('x'))).toEqual(items.map(result))
    const out = stage.messages.filter(({ flow }) => flow === 'out')
    expect(out).toEqual(
      items.map((item) => ({
        direction: 'response',
        flow: 'out',
        surface: 'message/stream',
        content: item,
        phase: 'phase-1',
      })),
    )
    expect(stage.events).toEqual([{ surface: 'message/stream', content: say('x'), phase: 'phase-1' }])
  })

  it('without task_responses: an empty completed task', async () => {
    const { stream } = await openServer({})
    expect(await stream('message/stream', say('x', { contextId: 'mine' }))).toEqual([
      result({ status: { state: 'completed' }, id: 'id-1', contextId: 'mine', kind: 'task' }),
      result({ kind: 'status-update', taskId: 'id-1', contextId: 'mine', status: { state: 'completed' }, final: true }),
    ])
  })
})

describe('every other method', () => {
  it.each<[string, unknown, number]>([
    ['tasks/get', { id: 'none' }, -32001],
    ['tasks/get', undefined, -32001],
    ['tasks/cancel', { id: 'none' }, -32001],
    ['tasks/cancel', { id: 'done' }, -32002],
    ['tasks/pushNotificationConfig/set', { taskId: 'none', pushNotificationConfig: { url: 'u' } }, -32001],
    ['tasks/pushNotificationConfig/set', { taskId: 'done' }, -32602],
    ['tasks/pushNotificationConfig/get', { id: 'done' }, -32001],
    ['tasks/pushNotificationConfig/delete', { id: 'done', pushNotificationConfigId: 'x' }, -32001],
    ['tasks/pushNotificationConfig/list', { id: 'none' }, -32001],
    ['SendMessage', {}, -32601],
    ['__proto__', {}, -32601],
    ['', {}, -32601],
  ])('%s %j: %i, and an event', async (method, params, code) => {
    const { call, stage } = await openServer({
      task_responses: [{ content: { id: 'done', status: { state: 'completed' } } }],
    })
    await call('message/send', {})
    expect(await call(method, params)).toEqual(error(code))
    expect(stage.events.at(-1)).toEqual({ surface: method, content: params ?? {}, phase: 'phase-1' })
    expect(stage.messages.at(-1)).toMatchObject({ flow: 'out', surface: method, content: { code } })
  })

  it('tasks/get gives the task as last served, with as much history as wanted', async () => {
    const { call, stream, stage } = await openServer({
      task_responses: [{ content: { id: 't', status: {}, history: [1, 2, 3] } }],
    })
    await call('message/send', {})
    const get = async (historyLength?: unknown) => (await call('tasks/get', { id: 't', historyLength })).result.history
    expect(await get()).toEqual([1, 2, 3])
    expect(await get(2)).toEqual([2, 3])
    expect(await get(0)).toEqual([])
    expect(await get(9)).toEqual([1, 2, 3])
    expect(await get('2')).toEqual([1, 2, 3])
    stage.enter({ task_responses: [{ content: { id: 't', status: {}, poisoned: true } }] })
    await stream('message/stream', {})
    expect((await call('tasks/get', { id: 't' })).result).toMatchObject({ poisoned: true })
  })

  it('a message to a known task continues it', async () => {
    const { call } = await openServer({ task_responses: [{ content: { status: { state: 'working' } } }] })
    const { result: first } = await call('message/send', say('one'))
    const { result: second } = await call('message/send', say('two', { taskId: first.id }))
    expect(second).toEqual(first)
    const { result: third } = await call('message/send', say('three'))
    expect(third.id).not.toBe(first.id)
  })

  it('wire 11: tasks/list gives the tasks that were served, in pages', async () => {
    const content = {
      id: '{{request.message.taskId}}',
      status: { state: '{{request.message.messageId}}' },
      artifacts: [1],
    }
    const { call } = await openServer({ task_responses: [{ content }] })
    for (const taskId of ['a', 'b', 'c']) {
      await call('message/send', {
        message: { taskId, contextId: 'x', messageId: taskId === 'b' ? 'working' : 'completed' },
      })
    }
    const list = async (params?: unknown) => (await call('tasks/list', params)).result
    const ids = ({ tasks }: { tasks: { id: string }[] }) => tasks.map(({ id }) => id)
    expect(await list()).toMatchObject({ totalSize: 3, pageSize: 50, nextPageToken: '' })
    expect(ids(await list())).toEqual(['c', 'b', 'a'])
    const first = await list({ pageSize: 2 })
    expect([ids(first), ids(await list({ pageSize: 2, pageToken: first.nextPageToken }))]).toEqual([['c', 'b'], ['a']])
    expect(ids(await list({ status: 'working' }))).toEqual(['b'])
    expect(ids(await list({ contextId: 'y' }))).toEqual([])
    expect((await list()).tasks[0]).not.toHaveProperty('artifacts')
    expect((await list({ includeArtifacts: true })).tasks[0]).toMatchObject({ artifacts: [1] })
    for (const wrong of [{ pageSize: 0 }, { pageSize: 'x' }, { pageToken: '-1' }]) {
      expect(await call('tasks/list', wrong)).toEqual(error(-32602))
    }
  })

  it('tasks/cancel ends a task that has not ended', async () => {
    const { call } = await openServer({
      task_responses: [{ content: { id: 't', x: 1, status: { state: 'working' } } }],
    })
    await call('message/send', say('x', { contextId: 'c' }))
    const status = { state: 'canceled', timestamp: '2026-01-01T00:00:00.000Z' }
    const canceled = { id: 't', contextId: 'c', kind: 'task', x: 1, status }
    expect(await call('tasks/cancel', { id: 't' })).toEqual(result(canceled))
    expect(await call('tasks/get', { id: 't' })).toEqual(result(canceled))
    expect(await call('tasks/cancel', { id: 't' })).toEqual(error(-32002))
  })

  it('tasks/resubscribe streams the last status, and its errors', async () => {
    const status = { state: 'completed' }
    const { call, stream } = await openServer({ task_responses: [{ content: { id: 't', contextId: 'c', status } }] })
    await call('message/send', {})
    expect(await stream('tasks/resubscribe', { id: 't' })).toEqual([
      result({ kind: 'status-update', taskId: 't', contextId: 'c', status, final: true }),
    ])
    expect(await stream('tasks/resubscribe', { id: 'none' })).toEqual([error(-32001)])
  })

  it('push configurations belong to a task', async () => {
    const { call } = await openServer({ task_responses: [{ content: { id: 't', status: {} } }] })
    const push = (verb: string, params: unknown) => call(`tasks/pushNotificationConfig/${verb}`, params)
    const of = (pushNotificationConfig: unknown) => ({ taskId: 't', pushNotificationConfig })
    const own = { url: 'http://a', token: 'x', id: 't' }
    const other = { id: 'b', url: 'http://b' }
    await call('message/send', { configuration: { pushNotificationConfig: { url: 'http://a', token: 'x' } } })
    expect(await push('set', of(other))).toEqual(result(of(other)))
    expect(await push('get', { id: 't' })).toEqual(result(of(own)))
    expect(await push('get', { id: 't', pushNotificationConfigId: 'b' })).toEqual(result(of(other)))
    expect(await push('list', { id: 't' })).toEqual(result([of(own), of(other)]))
    expect(await push('delete', { id: 't', pushNotificationConfigId: 't' })).toEqual(result(null))
    expect(await push('list', { id: 't' })).toEqual(result([of(other)]))
  })

  it('a card without push notifications refuses configurations', async () => {
    const { call } = await openServer({ agent_card: { capabilities: { pushNotifications: false } } })
    expect(await call('tasks/pushNotificationConfig/list', { id: 't' })).toEqual(error(-32003))
  })
})

it('x-joust-headers: headers and status of every answer', async () => {
  const { ask } = await openServer({ 'x-joust-headers': { 'www-authenticate': 'Bearer', ':status': '401' } })
  const { status, headers } = await ask('GET', '/.well-known/agent-card.json')
  expect([status, headers]).toEqual([401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' }])
})
