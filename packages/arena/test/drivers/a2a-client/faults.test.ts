/** What agents can do to an A2A client: everything is recorded, every wait ends in a diagnostic. */
import { describe, expect, it } from 'vitest'
import { createA2aClientDriver } from '../../../src/drivers/a2a-client/driver.ts'
import type { HttpReply } from '../../../src/model/http.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { type Agent, json, openClient } from '../../support/a2a.ts'
import { createFakeClock, settle } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

const send = { actions: [{ method: 'message/send' }, { method: 'tasks/get' }] }
const stream = { actions: [{ method: 'message/stream' }, { method: 'tasks/get' }] }
const item = (id: unknown, result: unknown) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`

/** Does something odd the first time, then answers properly. */
const first =
  (odd: (reply: HttpReply, id: unknown) => unknown): Agent =>
  ({ id, method }, reply) =>
    method === 'tasks/get' ? json(reply, { jsonrpc: '2.0', id, result: 'well' }) : odd(reply, id)

const sse = (reply: HttpReply) => reply.head(200, { 'content-type': 'text/event-stream' })

describe('an agent that reports a failure', () => {
  const message = {
    parts: [
      { kind: 'text', text: 'no model' },
      { kind: 'data', data: 1 },
      { kind: 'text', text: 'left' },
    ],
  }
  const failed = { state: 'failed', message }
  it.each<[string, unknown, string]>([
    ['a task', { result: { kind: 'task', status: failed } }, 'a failed task: no model left'],
    ['an update', { result: { kind: 'status-update', status: failed } }, 'a failed task: no model left'],
    ['a task without a word', { result: { status: { state: 'failed' } } }, 'a failed task'],
    ['a task of 1.0', { result: { task: { status: { state: 'TASK_STATE_FAILED' } } } }, 'a failed task'],
    ['an update of 1.0', { result: { statusUpdate: { status: { state: 'TASK_STATE_FAILED' } } } }, 'a failed task'],
    ['an internal error', { error: { code: -32603, message: 'out of memory' } }, 'internal error: out of memory'],
  ])('%s', async (_, answer, words) => {
    const body = (id: unknown) => ({ jsonrpc: '2.0', id, ...(answer as object) })
    const { perform, stage } = await openClient(
      send,
      first((reply, id) => json(reply, body(id))),
    )
    await perform()
    expect(stage.reports).toEqual([{ code: 'agent-failed', message: expect.stringMatching(new RegExp(`${words}$`)) }])
  })

  it.each<[string, unknown]>([
    ['a task that it rejected', { result: { status: { state: 'rejected' } } }],
    ['a task that is done', { result: { status: { state: 'completed' } } }],
    ['a message about failing', { result: { kind: 'message', parts: [{ kind: 'text', text: 'failed' }] } }],
  ])('%s is none', async (_, answer) => {
    const { perform, stage } = await openClient(
      send,
      first((reply, id) => json(reply, { jsonrpc: '2.0', id, ...(answer as object) })),
    )
    await perform()
    expect(stage.reports).toEqual([])
  })
})

describe('an agent that rejects a client', () => {
  const body = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Unauthorized' } })
  it.each([401, 403, 500, 502])('does so by HTTP %i, also with JSON-RPC', async (status) => {
    const { perform, stage } = await openClient(
      send,
      first((reply, id) => json(reply, body(id), status)),
    )
    await perform()
    expect(stage.reports).toEqual([
      {
        code: 'agent-failed',
        message: expect.stringMatching(new RegExp(`^message/send: .*HTTP ${status}: Unauthorized$`)),
      },
    ])
    expect(stage.events).toMatchObject([{ surface: 'message/send' }, { surface: 'tasks/get' }])
  })

  it('may do so in a stream', async () => {
    const { perform, stage } = await openClient(
      stream,
      first(async (reply, id) => {
        reply.head(502, { 'content-type': 'text/event-stream' })
        await reply.end(`data: ${JSON.stringify(body(id))}\n\n`)
      }),
    )
    await perform()
    expect(stage.reports).toMatchObject([{ code: 'agent-failed', message: expect.stringContaining('HTTP 502') }])
  })

  it.each([400, 404, 409])('does not by HTTP %i', async (status) => {
    const { perform, stage } = await openClient(
      send,
      first((reply, id) => json(reply, body(id), status)),
    )
    await perform()
    expect(stage.reports).toEqual([])
  })

  it('may do so with its card, where the document asks for it', async () => {
    const agent: Agent = ({ id, method }, reply) =>
      method === '' ? json(reply, 'no', 403) : json(reply, { jsonrpc: '2.0', id, result: 1 })
    const asked = await openClient({ actions: [{ method: 'agent_card/get' }] }, agent)
    await asked.perform()
    expect(asked.stage.reports.map(({ code }) => code)).toEqual(['agent-failed', 'message-malformed'])
    const found = await openClient(send, agent, { path: '/' })
    await found.perform()
    expect(found.stage.reports.map(({ code }) => code)).toEqual(['message-malformed'])
  })
})

describe('malformed answers are recorded and reported, and the next action follows', () => {
  it.each<[string, number, string, string]>([
    ['garbage', 200, '<html>', 'not JSON'],
    ['nothing', 200, '', 'not JSON'],
    ['an HTTP error', 404, 'Not Found', 'HTTP 404'],
    ['a redirect', 302, '', 'HTTP 302'],
    ['JSON that is not a JSON-RPC', 200, '{"a":1}', 'not a JSON-RPC message'],
    ['a request', 200, '{"jsonrpc":"2.0","id":1,"method":"m"}', 'expected a response, got a request'],
    ['a batch', 200, '[{"jsonrpc":"2.0","id":1,"result":1}]', 'expected a response, got a batch'],
    ['too much', 200, `"${'x'.repeat(3000)}"`, 'more than 2000 bytes'],
    ['too deep', 200, `{"jsonrpc":"2.0","id":1,"result":${'['.repeat(900)}${']'.repeat(900)}}`, 'levels deep'],
  ])('%s', async (_, status, text, reason) => {
    const { perform, stage } = await openClient(
      send,
      first((reply) => json(reply, text, status)),
      {
        limits: { replyMs: 30_000, messageBytes: 2000, retries: 0 },
      },
    )
    await perform()
    const kept = stage.messages.find(({ malformed }) => malformed !== undefined)
    expect(kept).toMatchObject({ direction: 'response', flow: 'in', surface: 'message/send' })
    expect(kept?.malformed).toContain(reason)
    expect(kept?.content).toBe(text.slice(0, 2000))
    expect(stage.reports.map(({ code }) => code)).toEqual(['message-malformed'])
    expect(stage.events).toMatchObject([{ surface: 'tasks/get', content: 'well' }])
  })

  it('malformed items of a stream', async () => {
    const { perform, stage } = await openClient(
      stream,
      first(async (reply, id) => {
        sse(reply)
        await reply.end(`data: {oops\n\n: a comment\n\nretry: 5\n\n${item(id, 1)}data: {"jsonrpc":"2.0"}\n\n`)
      }),
    )
    await perform()
    expect(stage.messages.slice(1, 4).map(({ content, malformed }) => [content, malformed === undefined])).toEqual([
      ['{oops', false],
      [1, true],
      ['{"jsonrpc":"2.0"}', false],
    ])
    expect(stage.events.map(({ surface }) => surface)).toEqual(['message/stream', 'tasks/get'])
    expect(stage.reports.map(({ code }) => code)).toEqual(['message-malformed', 'message-malformed'])
  })

  it.each([
    ['garbage', 200, 'garbage'],
    ['an HTTP error', 404, '{"error":"no"}'],
  ])('a card that is %s', async (_, status, text) => {
    const agent: Agent = ({ id, method }, reply) =>
      method === '' ? json(reply, text, status) : json(reply, { jsonrpc: '2.0', id, result: 1 })
    const { perform, stage, heard } = await openClient(send, agent, { path: '/' })
    await perform()
    expect(stage.messages.map(({ surface }) => surface)).not.toContain('agent_card/get')
    expect(heard.map(({ line }) => line)).toEqual(['GET /.well-known/agent-card.json', 'POST /', 'POST /'])
    expect(stage.reports.map(({ code }) => code)).toEqual(['message-malformed'])
  })
})

it('an id may be a number that is too large for a double', async () => {
  const { perform, stage } = await openClient(send, (_, reply) => {
    reply.head(200, { 'content-type': 'application/json' })
    return reply.end('{"jsonrpc":"2.0","id":9007199254740993,"result":{}}')
  })
  await perform()
  expect(stage.failedAnswers).toContain('message/send was answered with id 9007199254740993, expected 1')
})

it('an answer with another id is accepted and reported', async () => {
  const { perform, stage } = await openClient(send, ({ id, method }, reply) =>
    json(reply, { jsonrpc: '2.0', id: method === 'tasks/get' ? null : 'other', result: id }),
  )
  await perform()
  expect(stage.events).toHaveLength(2)
  expect(stage.failedAnswers).toContain('message/send was answered with id "other", expected 1')
  expect(stage.failedAnswers).toContain('tasks/get was answered with id null, expected 2')
})

describe('a peer that hangs', () => {
  it.each<[string, (reply: HttpReply) => unknown]>([
    ['before its answer', () => {}],
    [
      'in its answer',
      (reply) => {
        reply.head(200, { 'content-type': 'application/json' })
        return reply.write('{"jsonrpc":')
      },
    ],
  ])('%s is given up in time', async (_, hang) => {
    const { perform, stage, clock } = await openClient(send, first(hang))
    const performing = perform()
    await clock.advance(29_999)
    expect(stage.reports).toEqual([])
    await clock.advance(1)
    await performing
    expect(stage.reports).toMatchObject([{ code: 'reply-missing', message: expect.stringMatching(/^message\/send: /) }])
    expect(stage.events).toMatchObject([{ surface: 'tasks/get' }])
    expect(clock.pending()).toBe(0)
  })

  it('ends with the run, also in a stream', async () => {
    const run = new AbortController()
    const { perform, stage } = await openClient(
      stream,
      first((reply) => sse(reply)),
      { signal: run.signal },
    )
    const performing = perform()
    await settle()
    run.abort()
    await performing
    expect(stage.reports.map(({ code }) => code)).toEqual(['action-dropped'])
  })

  it('ends with the driver, which then reports nothing', async () => {
    const { perform, stage, driver } = await openClient(
      stream,
      first((reply) => sse(reply)),
    )
    const performing = perform()
    await settle()
    await driver.close()
    await driver.close()
    await performing
    expect(stage.messages).toHaveLength(1)
    expect(stage.reports).toEqual([])
  })
})

describe('a connection that breaks', () => {
  it.each<[string, (reply: HttpReply) => unknown]>([
    ['before the answer', (reply) => reply.destroy()],
    [
      'in a stream',
      async (reply) => {
        sse(reply)
        reply.destroy()
      },
    ],
  ])('%s is reported; the next action follows', async (_, cut) => {
    const { perform, stage } = await openClient(send, first(cut))
    await perform()
    expect(stage.reports).toMatchObject([
      { code: 'connection-lost', message: expect.stringMatching(/^message\/send: /) },
    ])
    expect(stage.events).toMatchObject([{ surface: 'tasks/get' }])
  })

  it('the received part of an answer is recorded', async () => {
    const { perform, stage } = await openClient(
      send,
      first(async (reply) => {
        reply.head(200, { 'content-type': 'application/json' })
        await reply.write('{"jsonrpc":')
        reply.destroy()
      }),
    )
    await perform()
    expect(stage.messages[1]).toMatchObject({
      content: '{"jsonrpc":',
      malformed: expect.stringContaining('cut off'),
    })
    expect(stage.reports.map(({ code }) => code)).toEqual(['connection-lost', 'message-malformed'])
    expect(stage.events).toMatchObject([{ surface: 'tasks/get' }])
  })

  it('earlier items of a stream are recorded', async () => {
    const { perform, stage } = await openClient(
      stream,
      first(async (reply, id) => {
        sse(reply)
        await reply.write(item(id, 1))
        await reply.write('data: {"jsonr')
        reply.destroy()
      }),
    )
    await perform()
    expect(stage.events).toMatchObject([{ content: 1 }, { surface: 'tasks/get' }])
    expect(stage.messages.some(({ content, malformed }) => malformed && String(content).includes('{"jsonr'))).toBe(true)
    expect(stage.reports.map(({ code }) => code).sort()).toEqual(['connection-lost', 'message-malformed'])
  })

  it('a stream without an item is not an answer', async () => {
    const { perform, stage } = await openClient(
      stream,
      first((reply) => {
        sse(reply)
        return reply.end()
      }),
    )
    await perform()
    expect(stage.reports).toMatchObject([{ code: 'reply-missing' }])
  })
})

describe('no listener', () => {
  function alone(url = 'http://127.0.0.1:9/rpc') {
    const stage = createFakeStage('a2a_client', send)
    const clock = createFakeClock()
    const net = createMemoryHttp()
    let tried = 0
    const driver = createA2aClientDriver(contextOf(stage, clock), {
      kind: 'http',
      url,
      send: (call) => {
        tried += 1
        return net.send(call)
      },
    })
    return { stage, clock, driver, tried: () => tried }
  }
  const never = new AbortController().signal

  it.each(['/rpc', '/'])('at %s: two retries, then the actor fails', async (path) => {
    const { stage, clock, driver, tried } = alone(`http://127.0.0.1:9${path}`)
    await driver.open()
    const performing = driver.perform?.(stage.scene(), never)
    const failing = expect(performing).rejects.toMatchObject({ name: 'ArenaError', code: 'connect_failed' })
    await clock.advance(199)
    expect(tried()).toBe(1)
    await clock.advance(1)
    expect(tried()).toBe(2)
    await clock.advance(399)
    expect(tried()).toBe(2)
    await clock.advance(1)
    expect(tried()).toBe(3)
    await failing
    expect(clock.pending()).toBe(0)
  })

  it.each(['/rpc', '/'])('at %s: an entry message is reported as not delivered', async (path) => {
    const { stage, clock, driver } = alone(`http://127.0.0.1:9${path}`)
    await driver.open()
    const sending = driver.send({ method: 'message/send' }, stage.scene())
    await clock.advance(1000)
    await (await sending).reply
    expect(stage.reports).toMatchObject([{ code: 'not-delivered', message: expect.stringMatching(/^message\/send: /) }])
  })

  it('cannot be a pipe, or no URL', async () => {
    const { stage, clock } = alone()
    const open = () => Promise.reject(new Error('unused'))
    const pipe = createA2aClientDriver(contextOf(stage, clock), { kind: 'pipe', open })
    await expect(pipe.open()).rejects.toMatchObject({ name: 'ArenaError', code: 'not_wired' })
    await expect(alone('not a url').driver.open()).rejects.toMatchObject({ code: 'not_wired' })
  })
})

describe('an incomplete answer to message/send', () => {
  it.each([
    ['working', [], ['reply-missing']],
    ['submitted', [], ['reply-missing']],
    ['working', [{ method: 'tasks/get', params: { id: '1' } }], []],
    ['completed', [], []],
    ['auth-required', [], ['agent-failed']],
  ])('a task that is %s, with %j to follow', async (state, more, expected) => {
    const stage = createFakeStage('a2a_client', {
      actions: [{ method: 'message/send', params: { message: {} } }, ...more],
    })
    const http = createMemoryHttp()
    await http.listen(async ({ body }, reply) => {
      const { id } = JSON.parse(new TextDecoder().decode(body))
      reply.head(200, { 'content-type': 'application/json' })
      await reply.end(JSON.stringify({ jsonrpc: '2.0', id, result: { kind: 'task', id: '1', status: { state } } }))
    })
    const end = { kind: 'http', url: `${http.origin}/rpc`, send: http.send } as const
    const driver = createA2aClientDriver(contextOf(stage, createFakeClock()), end)
    await driver.open()
    await driver.perform?.(stage.scene(), new AbortController().signal)
    await driver.close()
    const codes = new Set(stage.reports.map(({ code }) => code))
    expect([...codes]).toEqual(state === 'working' && more.length > 0 ? [] : expected)
  })
})
