/** A client played by the driver, over sockets, against agents on the official SDKs. */
import { createServer } from 'node:http'
import { systemClock } from '@joust/io'
import { afterEach, describe, expect, it } from 'vitest'
import { createA2aClientDriver } from '../../../src/drivers/a2a-client/driver.ts'
import { createHttpSend } from '../../../src/transport/http-client.ts'
import { type Serve, say03, serve03, serve13 } from '../../support/a2a-sdk.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe.each<[string, Serve]>([
  ['0.3', serve03],
  ['1.3', serve13],
])('an agent on the SDK of %s', (_, serve) => {
  it('is found by its card, answers, streams, gives its task, refuses', async () => {
    const agent = await serve()
    closing.push(agent.close)
    const state = {
      actions: [
        { method: 'message/send', params: { ...say03('hello'), configuration: { blocking: true } } },
        { method: 'message/stream', params: say03('again') },
        { method: 'tasks/get', params: { id: '{{task}}' } },
        { method: 'tasks/get', params: { id: 'none' } },
        { method: 'vendor/unknown', params: {} },
      ],
    }
    const stage = createFakeStage('a2a_client', state, [
      { name: 'task', source: 'response', type: 'json_path', selector: '$.id' },
    ])
    const driver = createA2aClientDriver(contextOf(stage, systemClock), {
      kind: 'http',
      url: agent.url,
      send: createHttpSend(),
    })
    closing.push(() => driver.close())
    await driver.open()
    await driver.perform?.(stage.scene(), new AbortController().signal)
    const part = { kind: 'text', text: 'hello' }
    expect(stage.events.map(({ surface, content }) => ({ surface, content }))).toMatchObject([
      {
        surface: 'message/send',
        content: { kind: 'task', status: { state: 'completed' }, artifacts: [{ parts: [part] }] },
      },
      { surface: 'message/stream', content: { kind: 'task' } },
      { surface: 'message/stream', content: { kind: 'status-update' } },
      { surface: 'task/status', content: { status: { state: 'working' } } },
      { surface: 'message/stream', content: { kind: 'artifact-update' } },
      { surface: 'task/artifact', content: { artifact: { parts: [{ text: 'again' }] } } },
      { surface: 'message/stream', content: { kind: 'status-update' } },
      { surface: 'task/status', content: { status: { state: 'completed' }, final: true } },
      { surface: 'tasks/get', content: { kind: 'task', id: stage.values.get('task') } },
      { surface: 'tasks/get', content: { code: -32001 } },
      { surface: 'vendor/unknown', content: { code: -32601 } },
    ])
    expect(stage.reports).toEqual([])
  })
})

it('an agent that dies in the middle of a stream', async () => {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"jsonrpc":"2.0","id":1,"result":{"kind":"status-update"}}\n\n', () =>
      request.socket.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const stage = createFakeStage('a2a_client', { actions: [{ method: 'message/stream' }, { method: 'tasks/get' }] })
  const context = contextOf(stage, systemClock, { limits: { replyMs: 30_000, messageBytes: 1000, retries: 0 } })
  const url = `http://127.0.0.1:${port}/rpc`
  const driver = createA2aClientDriver(context, {
    kind: 'http',
    url,
    send: (call) => createHttpSend()(call).finally(() => server.close()),
  })
  await driver.open()
  const performing = driver.perform?.(stage.scene(), new AbortController().signal)
  await expect(performing).rejects.toMatchObject({ code: 'connect_failed' })
  expect(stage.events.map(({ surface }) => surface)).toEqual(['message/stream', 'task/status'])
  expect(stage.reports.map(({ code }) => code)).toEqual(['connection-lost'])
})
