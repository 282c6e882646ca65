/** §7.2.6: what an A2A agent does when a phase begins. */
import { describe, expect, it } from 'vitest'
import { createA2aClientDriver } from '../../../src/drivers/a2a-client/driver.ts'
import type { DriverContext } from '../../../src/drivers/driver.ts'
import type { HttpHandler } from '../../../src/model/http.ts'
import { json, openServer, say } from '../../support/a2a.ts'
import { settle } from '../../support/fake-clock.ts'

const HOOK = 'http://127.0.0.1:10002/hook'
const payload = { statusUpdate: { odd: [1] } }

/** An agent, and an endpoint for its notifications. */
async function openWithHook(hook: HttpHandler, changes: Partial<DriverContext> = {}) {
  const server = await openServer({ task_responses: [{ content: { id: 't', status: {} } }] }, changes)
  const posted: { target: string; headers: Readonly<Record<string, string>>; body: string }[] = []
  await server.net.listen(async (request, reply) => {
    const { method, target, headers, body } = request
    posted.push({ target: `${method} ${target}`, headers, body: new TextDecoder().decode(body) })
    await hook(request, reply)
  })
  const push = async (value: unknown = { url: HOOK, payload }) => {
    // The value may be anything that a document may contain.
    const known = await server.driver.enact?.('send_push_notification', value as never, server.stage.scene())
    await settle()
    return known
  }
  return { ...server, posted, push }
}

const take: HttpHandler = async (_, reply) => {
  reply.head(200)
  await reply.end()
}

describe('send_push_notification', () => {
  it('wire 10: posts the payload as it is, recorded', async () => {
    const { push, posted, stage } = await openWithHook(take)
    expect(await push()).toBe(true)
    expect(posted).toEqual([
      {
        target: 'POST /hook',
        headers: { host: '127.0.0.1:10002', 'content-type': 'application/json', 'content-length': '28' },
        body: JSON.stringify(payload),
      },
    ])
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'out', surface: 'send_push_notification', content: payload, phase: 'phase-1' },
    ])
    expect(stage.reports).toEqual([])
  })

  it('has the token of the configuration for that address', async () => {
    const { push, posted, call } = await openWithHook(take)
    const config = (url: string, token: string) => ({ configuration: { pushNotificationConfig: { url, token } } })
    await call('message/send', config('http://other/', 'no'))
    await push()
    await call('message/send', config(HOOK, 'secret'))
    await push()
    expect(posted.map(({ headers }) => headers['x-a2a-notification-token'])).toEqual([undefined, 'secret'])
  })

  it('has the credentials of the configuration, and is one of A2A 1.0 for a client of that version', async () => {
    const { push, posted, net, call } = await openWithHook(take)
    const authentication = { scheme: 'Bearer', credentials: 'c' }
    const params = { ...say('x'), configuration: { taskPushNotificationConfig: { url: HOOK, authentication } } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params })
    const headers = { 'a2a-version': '1.0' }
    await net.send({ method: 'POST', url: `${net.origin}/`, headers, body, signal: new AbortController().signal })
    await push({ payload: { kind: 'status-update', taskId: 't', status: { state: 'working' }, final: false } })
    expect(posted).toMatchObject([
      {
        headers: { 'content-type': 'application/a2a+json', authorization: 'Bearer c' },
        body: '{"statusUpdate":{"taskId":"t","status":{"state":"TASK_STATE_WORKING"}}}',
      },
    ])
    const older = { url: HOOK, authentication: { schemes: ['Basic'], credentials: 'd' } }
    await call('message/send', { configuration: { pushNotificationConfig: older } })
    await push()
    expect(posted[1]?.headers.authorization).toBe('Basic d')
  })

  it('goes to every registered address without a url, and reports that there is none', async () => {
    const { push, posted, call, stage } = await openWithHook(take)
    await push({ payload })
    expect(stage.reports).toMatchObject([{ code: 'push-failed', message: expect.stringContaining('no client') }])
    const config = (id: string, url: string) => ({ taskId: 't', pushNotificationConfig: { id, url } })
    await call('message/send', {})
    await call('tasks/pushNotificationConfig/set', config('a', HOOK))
    await call('tasks/pushNotificationConfig/set', config('b', `${HOOK}/2`))
    await call('tasks/pushNotificationConfig/set', config('c', HOOK))
    await push({ payload })
    expect(posted.map(({ target }) => target)).toEqual(['POST /hook', 'POST /hook/2'])
  })

  it('has the headers of the action, which may forge a token', async () => {
    const { push, posted } = await openWithHook(take)
    await push({
      url: HOOK,
      payload,
      'x-joust-headers': { 'X-A2A-Notification-Token': 'forged', 'content-type': null },
    })
    expect(posted[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 'forged' })
    expect(posted[0]?.headers).not.toHaveProperty('content-type')
  })

  it('has the headers of the state, without the status of its answers', async () => {
    const { push, posted, stage } = await openWithHook(take)
    stage.enter({ 'x-joust-headers': { ':status': 401, 'x-who': 'mallory' } })
    await push({ url: HOOK, payload })
    expect(posted[0]?.headers).toMatchObject({ 'x-who': 'mallory' })
    expect(posted[0]?.headers).not.toHaveProperty(':status')
  })

  it('records the response of the endpoint', async () => {
    const { push, stage } = await openWithHook(async (_, reply) => reply.end('thanks'))
    await push()
    expect(stage.messages.at(-1)).toMatchObject({ direction: 'response', flow: 'in', content: 'thanks' })
  })

  it('records the response of the endpoint until the connection breaks', async () => {
    const { push, stage } = await openWithHook(async (_, reply) => {
      await reply.write('tha')
      reply.destroy()
    })
    await push()
    expect(stage.messages.at(-1)).toMatchObject({ flow: 'in', content: 'tha' })
    expect(stage.reports).toMatchObject([
      { code: 'push-failed', message: expect.stringContaining('closed the connection') },
    ])
  })

  it('is not sent to a host that is not allowed', async () => {
    const { push, posted, stage } = await openWithHook(take, { mayReach: () => false })
    expect(await push()).toBe(true)
    expect(posted).toEqual([])
    expect(stage.messages).toEqual([])
  })

  it.each<[string, HttpHandler, RegExp]>([
    ['refuses', (_, reply) => json(reply, 'no', 410), /HTTP 410/],
    ['breaks off', async (_, reply) => reply.destroy(), /closed the connection/],
  ])('an endpoint that %s is reported', async (_, hook, message) => {
    const { push, stage } = await openWithHook(hook)
    await push()
    expect(stage.reports).toEqual([{ code: 'push-failed', message: expect.stringMatching(message) }])
  })

  it('an endpoint that is not there, and one that hangs, are reported', async () => {
    const { push, stage, clock } = await openWithHook(() => new Promise(() => {}))
    await push({ url: 'http://127.0.0.1:9/', payload })
    expect(stage.reports).toMatchObject([{ code: 'push-failed', message: expect.stringContaining('nothing listens') }])
    await push()
    await clock.advance(29_999)
    expect(stage.reports).toHaveLength(1)
    await clock.advance(1)
    expect(stage.reports[1]).toMatchObject({ code: 'push-failed', message: expect.stringContaining('within 30 s') })
    expect(clock.pending()).toBe(0)
  })

  it.each([null, 'x', {}, { url: 7, payload }, { url: HOOK }])('%j is malformed', async (value) => {
    const { push, stage, posted } = await openWithHook(take)
    expect(await push(value)).toBe(true)
    expect(stage.reports).toMatchObject([{ code: 'action-malformed' }])
    expect(posted).toEqual([])
  })

  it('does not hold up an endpoint that calls back before it answers', async () => {
    const { net, push, stage } = await openWithHook(async (_, reply) => {
      await net.send({
        method: 'GET',
        url: `${net.origin}/.well-known/agent-card.json`,
        signal: new AbortController().signal,
      })
      await take(_, reply)
    })
    await push()
    expect(stage.events).toMatchObject([{ surface: 'agent_card/get' }])
    expect(stage.reports).toEqual([])
  })
})

it('wire 10: a client sends one as well', async () => {
  const posted: string[] = []
  const { net, ...server } = await openServer({})
  await net.listen(async (request, reply) => {
    posted.push(new TextDecoder().decode(request.body))
    await take(request, reply)
  })
  const driver = createA2aClientDriver(server.context, { kind: 'http', url: net.origin, send: net.send })
  expect(await driver.enact?.('send_push_notification', { url: HOOK, payload }, server.stage.scene())).toBe(true)
  expect(await driver.enact?.('notify', {}, server.stage.scene())).toBe(false)
  await settle()
  expect(posted).toEqual([JSON.stringify(payload)])
})

it('has no other entry action', async () => {
  const { driver, stage } = await openServer({})
  expect(await driver.enact?.('notify', {}, stage.scene())).toBe(false)
})

it('wire 10: cannot send requests, and names the clause', async () => {
  const { driver, stage } = await openServer({})
  expect(await driver.send({ method: 'task/status' }, stage.scene())).toEqual({})
  expect(stage.reports).toEqual([
    {
      code: 'unknown-action',
      message: expect.stringMatching(/^task\/status was not sent: .*§7\.2\.6.*send_push_notification/),
    },
  ])
})
