import { writeJson } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyValue } from '../../../../results/test/support/entries.ts'
import { writeEvent } from '../../../src/transport/event-stream.ts'
import { beginStream, codes, overHttp, overPipe, replyJson, settle, traced } from './support.ts'

const call = { actions: [{ method: 'a' }, { method: 'b' }] }

describe('a server that cannot be reached', () => {
  test('nothing listens: retried, then given up', async () => {
    const rig = await overHttp({})
    await rig.vanish()
    const opened = expect(rig.driver.open()).rejects.toMatchObject({ name: 'ArenaError', code: 'connect_failed' })
    await rig.clock.advance(600)
    await opened
    await rig.driver.close()
    expect(rig.clock.pending()).toBe(0)
  })

  test('an HTTP error instead of an answer', async () => {
    const rig = await overHttp({}, (_call, reply) => {
      reply.head(502)
      return reply.end('busy')
    })
    await expect(rig.driver.open()).rejects.toMatchObject({ code: 'connect_failed', message: /HTTP 502/ })
    expect(rig.stage.messages.at(-1)).toMatchObject({ surface: 'initialize', content: 'busy', malformed: /not JSON/ })
    expect(rig.stage.reports).toMatchObject([
      { code: 'agent-failed', message: /^initialize: .* HTTP 502: busy$/ },
      { code: 'message-malformed' },
    ])
    await rig.driver.close()
  })

  test.each([401, 403, 500])('HTTP %i with a JSON-RPC error is not resistance', async (status) => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      reply.head(status, { 'content-type': 'application/json' })
      return reply.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}')
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'a', content: { code: -32001 } })
    expect(rig.stage.reports).toMatchObject([
      { code: 'agent-failed', message: new RegExp(`^a: .* HTTP ${status}: Unauthorized$`) },
    ])
    await rig.driver.close()
  })

  test('HTTP 500 with a stream is not an answer either', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      reply.head(500, { 'content-type': 'text/event-stream' })
      return reply.end(writeEvent({ data: JSON.stringify({ jsonrpc: '2.0', id: 2, result: {} }) }))
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.reports).toMatchObject([{ code: 'agent-failed', message: /^a: .* HTTP 500$/ }])
    await rig.driver.close()
  })

  test.each(['http', 'pipe'])('silence over %s', async (kind) => {
    const rig = kind === 'pipe' ? overPipe({}) : await overHttp({}, () => new Promise(() => {}))
    const opened = expect(rig.driver.open()).rejects.toMatchObject({ code: 'timed_out' })
    await rig.clock.advance(30_000)
    await opened
    await rig.driver.close()
    expect(rig.clock.pending()).toBe(0)
  })

  test('the end of the lines before an answer', async () => {
    const rig = overPipe({})
    const opened = expect(rig.driver.open()).rejects.toMatchObject({ code: 'connect_failed' })
    await rig.hear()
    await rig.peer.close()
    await opened
    await rig.driver.close()
  })

  test('the end of the run before an answer', async () => {
    const rig = overPipe({})
    const opened = expect(rig.driver.open()).rejects.toMatchObject({ code: 'stopped' })
    await rig.hear()
    rig.run.abort()
    await opened
    await rig.driver.close()
  })
})

describe('a server that goes away', () => {
  test('in mid-call, for good: the actor cannot go on', async () => {
    const rig = overPipe(call)
    await rig.performHandshake()
    const performed = expect(rig.perform()).rejects.toMatchObject({ code: 'connection_lost' })
    await rig.hear()
    await rig.say({ jsonrpc: '2.0', method: 'notifications/message' })
    await rig.peer.close()
    await performed
    expect(traced(rig).at(-1)).toBe('in request notifications/message {}')
    expect(codes(rig)).toEqual(['connection-lost'])
    await expect(rig.perform()).rejects.toMatchObject({ code: 'connection_lost' })
    await rig.driver.close()
  })

  test('in the middle of an entry message: reported, not thrown', async () => {
    const rig = overPipe({})
    await rig.performHandshake()
    const { reply } = await rig.driver.send({ method: 'ping' }, rig.stage.scene())
    await rig.peer.close()
    await reply
    await rig.driver.send({ method: 'notifications/x' }, rig.stage.scene())
    expect(codes(rig)).toEqual(['connection-lost', 'connection-lost', 'not-delivered'])
    await rig.driver.close()
  })

  test('a connection that is dropped costs one answer, the next action is sent', async () => {
    const rig = await overHttp(call, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      reply.destroy()
      return Promise.resolve()
    })
    await rig.driver.open()
    await rig.perform()
    expect(codes(rig)).toEqual(['reply-missing'])
    expect(rig.stage.events.at(-1)?.surface).toBe('b')
    expect(rig.calls.filter(({ message }) => message.method === 'a')).toHaveLength(1)
    await rig.driver.close()
  })

  test('refused again and again: the actor cannot go on', async () => {
    const rig = await overHttp(call)
    await rig.driver.open()
    await rig.vanish()
    const performed = expect(rig.perform()).rejects.toMatchObject({ code: 'connection_lost' })
    await rig.clock.advance(600)
    await performed
    expect(traced(rig).at(-1)).toBe('out request notifications/initialized {}')
    await rig.driver.close()
    expect(rig.clock.pending()).toBe(0)
  })

  test('a stream cut before the answer costs one answer', async () => {
    const rig = await overHttp(call, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      const say = beginStream(reply)
      return say({ jsonrpc: '2.0', method: 'notifications/message' }).then(() => reply.destroy())
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.reports).toMatchObject([{ code: 'reply-missing', message: /stream that ended/ }])
    expect(rig.stage.events.map(({ surface }) => surface)).toEqual(['initialize', 'notifications/message', 'b'])
    await rig.driver.close()
  })

  test('a stream cut in the middle of a message keeps what came', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      reply.head(200, { 'content-type': 'text/event-stream' })
      return reply.write('data: {"jsonrpc":"2.0","id":2,"resu').then(() => reply.destroy())
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.messages.at(-1)).toMatchObject({ surface: 'a', flow: 'in', malformed: expect.any(String) })
    expect(JSON.stringify(rig.stage.messages.at(-1)?.content)).toContain('resu')
    expect(codes(rig)).toEqual(['message-malformed', 'reply-missing'])
    await rig.driver.close()
  })
})

describe('malformed messages', () => {
  test('malformed lines are recorded and reported, and reading continues', async () => {
    const rig = overPipe({ actions: [{ method: 'a' }] })
    await rig.performHandshake()
    const performed = rig.perform()
    const { id } = await rig.hear()
    for (const line of ['Server ready!', '[]', '7', '{"jsonrpc":"2.0"}', '{"method":"x"}', '']) await rig.say(line)
    await rig.say({ jsonrpc: '2.0', id, result: {} })
    await performed
    const kept = rig.stage.messages.filter(({ malformed }) => malformed !== undefined)
    expect(kept.map(({ content }) => content)).toEqual([
      'Server ready!',
      '[]',
      '7',
      '{"jsonrpc":"2.0"}',
      '{"method":"x"}',
    ])
    expect(codes(rig)).toEqual(Array(5).fill('message-malformed'))
    await rig.driver.close()
  })

  test('an answer with the right id ends the wait at once', async () => {
    const rig = overPipe(call)
    await rig.performHandshake()
    void rig.perform()
    const { id } = await rig.hear()
    await rig.say({ jsonrpc: '1.0', id, result: {} })
    expect((await rig.hear()).method).toBe('b')
    expect(codes(rig)).toEqual(['message-malformed', 'reply-missing'])
    expect(rig.stage.messages.find(({ malformed }) => malformed)?.surface).toBe('a')
    await rig.driver.close()
  })

  test('a line over the limit', async () => {
    const rig = overPipe({}, [], { messageBytes: 500 })
    await rig.performHandshake()
    await rig.say(`"${'x'.repeat(1000)}"`)
    await rig.say({ jsonrpc: '2.0', method: 'notifications/after' })
    await settle()
    expect(rig.stage.messages.at(-2)?.malformed).toBeDefined()
    expect(rig.stage.events.at(-1)?.surface).toBe('notifications/after')
    await rig.driver.close()
  })

  test('a body over the limit', async () => {
    const rig = await overHttp(
      { actions: [{ method: 'a' }] },
      ({ message }, reply) => (message.method === 'a' ? replyJson(reply, 2, 'x'.repeat(1000)) : undefined),
      [],
      { messageBytes: 500 },
    )
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.messages.at(-1)).toMatchObject({ surface: 'a', malformed: 'more than 500 bytes' })
    expect(codes(rig)).toEqual(['message-malformed', 'reply-missing'])
    await rig.driver.close()
  })
})

describe('unexpected messages', () => {
  test('answers to nothing, and second answers', async () => {
    const rig = overPipe({})
    await rig.performHandshake()
    for (const id of [99, '1', null, { x: 1 }]) await rig.say({ jsonrpc: '2.0', id, result: { to: id } })
    await rig.say({ jsonrpc: '2.0', id: 1, result: 'again' })
    await settle()
    expect(traced(rig).slice(3)).toEqual([
      'in response  {"to":99}',
      'in response  {"to":"1"}',
      'in response  {"to":null}',
      'in response  {"to":{"x":1}}',
      'in response initialize "again"',
    ])
    expect(codes(rig)).toEqual(Array(5).fill('reply-unexpected'))
    expect(rig.stage.events).toHaveLength(1)
    await rig.driver.close()
  })

  test('a batch, item by item', async () => {
    const rig = overPipe({ actions: [{ method: 'a' }] })
    await rig.performHandshake()
    const performed = rig.perform()
    const { id } = await rig.hear()
    await rig.say([
      { jsonrpc: '2.0', method: 'notifications/message' },
      7,
      { jsonrpc: '2.0', id: 'p', method: 'ping' },
      { jsonrpc: '2.0', id, result: { ok: 1 } },
    ])
    await performed
    expect(await rig.hear()).toEqual({ jsonrpc: '2.0', id: 'p', result: {} })
    expect(rig.stage.events.map(({ surface }) => surface).sort()).toEqual([
      'a',
      'initialize',
      'notifications/message',
      'ping',
    ])
    expect(codes(rig)).toEqual(['message-malformed'])
    await rig.driver.close()
  })

  test('a flood of notifications loses none, nor the answer after it', async () => {
    const rig = overPipe({ actions: [{ method: 'a' }] })
    await rig.performHandshake()
    const performed = rig.perform()
    const { id } = await rig.hear()
    for (let n = 0; n < 20_000; n++) await rig.say({ jsonrpc: '2.0', method: 'notifications/message', params: { n } })
    await rig.say({ jsonrpc: '2.0', id, result: { last: true } })
    await performed
    expect(rig.stage.events).toHaveLength(20_002)
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'a' })
    await rig.driver.close()
  })
})

describe('rejected messages', () => {
  test('a rejected notification is reported, and the next action is sent', async () => {
    const rig = await overHttp({ actions: [{ method: 'notifications/x' }, { method: 'b' }] }, ({ message }, reply) => {
      if (message.method !== 'notifications/x') return undefined
      reply.head(403)
      return reply.end()
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.reports).toMatchObject([
      { code: 'not-delivered', message: /HTTP 403/ },
      { code: 'agent-failed', message: /HTTP 403/ },
    ])
    expect(rig.stage.events.at(-1)?.surface).toBe('b')
    await rig.driver.close()
  })

  test('a notification that hangs is given up', async () => {
    const rig = await overHttp({ actions: [{ method: 'notifications/x' }, { method: 'b' }] }, ({ message }) =>
      message.method === 'notifications/x' ? new Promise(() => {}) : undefined,
    )
    await rig.driver.open()
    const performed = rig.perform()
    await rig.clock.advance(30_000)
    await performed
    expect(codes(rig)).toEqual(['not-delivered'])
    await rig.driver.close()
    expect(rig.clock.pending()).toBe(0)
  })
})

test('nothing is reported after the end', async () => {
  const rig = overPipe({ actions: [{ method: 'a' }] })
  await rig.performHandshake()
  const performed = rig.perform()
  const { id } = await rig.hear()
  await rig.driver.close()
  await rig.driver.close()
  await performed
  const { messages, reports } = rig.stage
  const before = [messages.length, reports.length]
  await rig.say({ jsonrpc: '2.0', id, result: {} })
  await settle()
  expect([messages.length, reports.length]).toEqual(before)
  expect(rig.clock.pending()).toBe(0)
})

test('all messages of a server are in the trace, and none stops the driver', async () => {
  const method = fc.constantFrom(
    'sampling/createMessage',
    'elicitation/create',
    'roots/list',
    'ping',
    'notifications/x',
  )
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0', 2),
      id: fc.oneof(fc.integer({ min: -1, max: 4 }), anyValue),
      method: fc.oneof(method, anyValue),
      params: anyValue,
      result: anyValue,
      error: anyValue,
    },
    { requiredKeys: [] },
  )
  const line = fc
    .oneof(
      message.map((value) => writeJson(value)),
      fc.string(),
    )
    .map((text) => text.replace(/[\r\n]/g, ' '))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      const rig = overPipe({ actions: [{ method: 'a' }] })
      await rig.performHandshake()
      const performed = rig.perform()
      await rig.hear()
      for (const text of lines) await rig.say(text)
      await rig.clock.advance(60_000)
      await performed
      const wanted = lines.filter((text) => text.trim() !== '').length
      expect(rig.stage.messages.filter(({ flow }) => flow === 'in').length).toBeGreaterThanOrEqual(wanted + 1)
      await rig.driver.close()
      expect(rig.clock.pending()).toBe(0)
    }),
    { numRuns: 200 },
  )
})
