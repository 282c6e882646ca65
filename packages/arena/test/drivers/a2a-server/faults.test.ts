/** What peers can do to an A2A agent: nothing is dropped, nothing hangs, nothing throws. */
import { writeJson } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyValue } from '../../../../results/test/support/entries.ts'
import { createA2aServerDriver } from '../../../src/drivers/a2a-server/driver.ts'
import { createMemoryPipe } from '../../../src/transport/memory-pipe.ts'
import { openServer, say } from '../../support/a2a.ts'
import { createFakeClock, settle } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

describe('malformed messages', () => {
  it.each<[string, string, number, unknown]>([
    ['garbage', 'garbage', -32700, null],
    ['nothing', '', -32700, null],
    ['no JSON-RPC', '{"id":3,"method":"message/send"}', -32600, 3],
    ['a method that is not a string', '{"jsonrpc":"2.0","id":"x","method":1}', -32600, 'x'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"message/send"}]', -32600, null],
    ['too deep', `{"jsonrpc":"2.0","id":1,"method":"m","params":${'['.repeat(5000)}${']'.repeat(5000)}}`, -32600, null],
  ])('%s is kept, reported and answered', async (_, body, code, id) => {
    const { post, stage } = await openServer({})
    const { status, text } = await post(body)
    expect(status).toBe(400)
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } })
    expect(stage.messages[0]).toMatchObject({ direction: 'request', flow: 'in', surface: '', content: body })
    expect(stage.messages[0]?.malformed).toEqual(expect.any(String))
    expect(stage.reports).toMatchObject([{ code: 'message-malformed' }])
    expect(stage.events).toEqual([])
  })

  it('too large is kept up to the limit', async () => {
    const { post, stage } = await openServer({}, {}, 100)
    expect((await post('x'.repeat(1000))).status).toBe(400)
    expect(stage.messages[0]).toMatchObject({
      content: 'x'.repeat(100),
      malformed: expect.stringContaining('100 bytes'),
    })
  })

  it.each([
    ['GET', '/', 404],
    ['GET', '/favicon.ico', 404],
    ['GET', '/.well-known/oauth-protected-resource', 404],
    ['HEAD', '/.well-known/agent-card.json', 405],
    ['OPTIONS', '/', 405],
  ])('%s %s is a probe, not a message', async (method, path, status) => {
    const { ask, stage } = await openServer({})
    expect((await ask(method, path)).status).toBe(status)
    expect(stage.messages).toEqual([])
    expect(stage.reports).toMatchObject([{ code: 'request-refused' }])
  })

  it.each([
    ['GET', '/leak/the-secret', 404],
    ['GET', '/?q=the-secret', 404],
    ['GET', '/.well-known/the/secret', 404],
    ['GET', '/.well-known/the-secret', 404],
    ['DELETE', '/', 405],
  ])('%s %s is not an A2A request', async (method, path, status) => {
    const { ask, stage } = await openServer({})
    const answer = await ask(method, path)
    expect(answer.status).toBe(status)
    expect(answer.headers.allow).toBe(status === 405 ? 'GET, POST' : undefined)
    expect(stage.messages).toMatchObject([{ content: `${method} ${path}`, malformed: expect.any(String) }])
    expect(stage.reports).toMatchObject([{ code: 'message-malformed' }])
  })

  it('a probe with a body is a message', async () => {
    const { ask, stage } = await openServer({})
    expect((await ask('GET', '/', '{"the":"secret"}')).status).toBe(404)
    expect(stage.messages).toMatchObject([{ content: 'GET /\n{"the":"secret"}', malformed: expect.any(String) }])
  })

  it('an answer to nothing', async () => {
    const { post, stage } = await openServer({})
    expect(await post('{"jsonrpc":"2.0","id":1,"result":{"x":1}}')).toMatchObject({ status: 204, text: '' })
    expect(stage.messages).toMatchObject([{ direction: 'response', flow: 'in', content: { x: 1 } }])
    expect(stage.reports).toMatchObject([{ code: 'reply-unexpected' }])
  })
})

it('a call without an id is an event and gets no answer', async () => {
  const { post, stage } = await openServer({})
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'message/send', params: say('x') })
  expect(await post(body)).toMatchObject({ status: 204, text: '' })
  expect(stage.events).toMatchObject([{ surface: 'message/send', content: say('x') }])
  expect(stage.messages).toHaveLength(1)
})

it.each([null, 'text', 1.5, { a: [1] }])('the id %j comes back as it is', async (id) => {
  const { post } = await openServer({ task_responses: [{ content: 1 }] })
  const { text } = await post(JSON.stringify({ jsonrpc: '2.0', id, method: 'message/send' }))
  expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id, result: 1 })
})

it('params of any kind get an answer', async () => {
  const methods = ['message/send', 'message/stream', 'tasks/get', 'tasks/cancel', 'tasks/resubscribe']
  const verbs = ['set', 'get', 'list', 'delete'].map((verb) => `tasks/pushNotificationConfig/${verb}`)
  const params = fc.oneof(
    anyValue,
    fc.record({ message: anyValue, id: anyValue, taskId: anyValue, configuration: anyValue }),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods, ...verbs), params, anyValue, async (method, given, content) => {
      const { post, stage } = await openServer({ task_responses: [{ content }] })
      const { status, text } = await post(writeJson({ jsonrpc: '2.0', id: 1, method, params: given }))
      expect(status).toBe(200)
      expect(text).toContain('"jsonrpc":"2.0","id":1')
      expect(stage.events).toHaveLength(1)
      expect(stage.reports).toEqual([])
    }),
    { numRuns: 200 },
  )
})

it.each(['message/send', 'message/stream'])('a peer that is gone before the answer to %s gets none', async (method) => {
  const { net, stage } = await openServer({})
  const { receive } = stage
  const leaving = new AbortController()
  stage.receive = (message, answer) => {
    leaving.abort()
    return receive(message, answer)
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
  const call = net.send({ method: 'POST', url: net.origin, body, signal: leaving.signal })
  await expect(call).rejects.toMatchObject({ code: 'stopped' })
  await settle()
  expect(stage.messages.map(({ flow }) => flow)).toEqual(['in'])
  expect(stage.reports).toMatchObject([{ code: 'answer-undelivered', message: expect.stringContaining(method) }])
})

it('a peer that disconnects during an answer is reported', async () => {
  const stage = createFakeStage('a2a_server', {})
  const leaving = new AbortController()
  const driver = createA2aServerDriver(contextOf(stage, createFakeClock()), {
    kind: 'http',
    async listen(handler) {
      const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send' }))
      const reply = { head() {}, async write() {}, end: async () => leaving.abort(), destroy() {} }
      await handler({ method: 'POST', target: '/', headers: {}, body, signal: leaving.signal }, reply)
      return { origin: '', close: async () => {} }
    },
  })
  await driver.open()
  expect(stage.messages.map(({ flow }) => flow)).toEqual(['in', 'out'])
  expect(stage.reports).toMatchObject([{ code: 'answer-undelivered' }])
})

it.each([
  ['POST', '/', { host: 'evil.test' }],
  ['GET', '/.well-known/agent-card.json', { host: 'evil.test' }],
  ['POST', '/', { origin: 'http://evil.test' }],
])('%s %s from a web page with %j is not allowed', async (method, path, headers) => {
  const { net, stage } = await openServer({})
  const signal = new AbortController().signal
  const body = method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send' }) } : {}
  expect((await net.send({ method, url: `${net.origin}${path}`, headers, signal, ...body })).status).toBe(403)
  expect(stage.events).toEqual([])
  expect(stage.messages).toMatchObject([{ flow: 'in', malformed: expect.stringContaining('evil.test') }])
})

it('forgets the oldest of ten thousand tasks', async () => {
  const { call } = await openServer({ task_responses: [{ content: { id: '{{request.n}}', status: {} } }] })
  for (let n = 0; n <= 10_000; n++) await call('message/send', { n: `${n}` })
  expect((await call('tasks/get', { id: '0' })).error.code).toBe(-32001)
  expect((await call('tasks/get', { id: '1' })).result.id).toBe('1')
})

it('a failed answer closes the connection', async () => {
  const { call, stage } = await openServer({ task_responses: [{ content: 1 }] })
  stage.choose = () => {
    throw new Error('a defect')
  }
  await expect(call('message/send')).rejects.toMatchObject({ code: 'connection_lost' })
  expect(stage.reports).toMatchObject([{ code: 'content-malformed', message: 'Error: a defect' }])
})

describe('opening and closing', () => {
  it('needs HTTP', async () => {
    const { context } = await openServer({})
    const [pipe] = createMemoryPipe()
    const driver = createA2aServerDriver(context, { kind: 'pipe', pipe })
    await expect(driver.open()).rejects.toMatchObject({ name: 'ArenaError', code: 'not_wired' })
    expect(driver.address?.()).toBeUndefined()
  })

  it('serves its address until it is closed, and then reports nothing', async () => {
    const { driver, net, stage, ask } = await openServer({})
    expect(driver.address?.()).toBe(net.origin)
    await driver.close()
    await driver.close()
    await expect(ask('GET', '/.well-known/agent-card.json')).rejects.toMatchObject({ code: 'connect_failed' })
    expect(stage.messages).toEqual([])
  })
})
