import { describe, expect, test } from 'vitest'
import { writeEvent } from '../../../src/transport/event-stream.ts'
import { beginStream, type Call, codes, overHttp, replyJson, type Serve, settle, traced, welcome } from './support.ts'

const seen = ({ method, headers, message }: Call) => ({
  method,
  what: message.method,
  accept: headers.accept,
  session: headers['mcp-session-id'],
  version: headers['mcp-protocol-version'],
})
const both = 'application/json, text/event-stream'

describe('a session', () => {
  test('is started, kept and ended, with the negotiated version', async () => {
    const rig = await overHttp({ actions: [{ method: 'tools/list' }] }, ({ message }, reply) =>
      message.method === 'initialize'
        ? replyJson(reply, message.id, { ...welcome, protocolVersion: '2025-06-18' }, { 'mcp-session-id': 's-1' })
        : undefined,
    )
    await rig.driver.open()
    await rig.perform()
    await rig.driver.close()
    const later = { session: 's-1', version: '2025-06-18' }
    expect(rig.calls.map(seen)).toEqual([
      { method: 'POST', what: 'initialize', accept: both, session: undefined, version: undefined },
      { method: 'POST', what: 'notifications/initialized', accept: both, ...later },
      { method: 'GET', what: undefined, accept: 'text/event-stream', ...later },
      { method: 'POST', what: 'tools/list', accept: both, ...later },
      { method: 'DELETE', what: undefined, accept: undefined, ...later },
    ])
    expect(rig.stage.messages.map(({ session }) => session)).toEqual([undefined, 's-1', 's-1', 's-1', 's-1'])
    expect(rig.stage.reports).toEqual([])
    expect(rig.calls[0]?.headers).toEqual({
      host: expect.any(String),
      accept: both,
      'content-length': expect.any(String),
      'content-type': 'application/json',
    })
  })

  test('is not changed by a server that names another one', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }, { method: 'b' }] }, ({ message }, reply) =>
      message.method === 'a' ? replyJson(reply, message.id, {}, { 'mcp-session-id': 'stolen' }) : undefined,
    )
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls.at(-1)?.headers['mcp-session-id']).toBe('s-1')
    await rig.driver.close()
  })

  test('a version that cannot be a header is not made one', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ message }, reply) =>
      message.method === 'initialize' ? replyJson(reply, message.id, { protocolVersion: '1\r\nx: y' }) : undefined,
    )
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls.at(-1)?.headers).not.toHaveProperty('mcp-protocol-version')
    await rig.driver.close()
  })

  test('a server that does not answer DELETE is abandoned', async () => {
    const rig = await overHttp({}, ({ method }) => (method === 'DELETE' ? new Promise(() => {}) : undefined))
    await rig.driver.open()
    const closed = rig.driver.close()
    await rig.clock.advance(2000)
    await closed
    expect(rig.clock.pending()).toBe(0)
  })
})

describe('a session that the server lost', () => {
  /** A server that forgets up to `most` sessions when the method `from` arrives, and is otherwise honest. */
  const forgetful = (from: string, most = 1): { serve: Serve; sessions: string[] } => {
    const sessions: string[] = []
    const lost = new Set<string>()
    const serve: Serve = ({ method, headers, message }, reply) => {
      const session = headers['mcp-session-id'] ?? ''
      if (method === 'POST' && message.method === 'initialize') {
        sessions.push(`s-${sessions.length + 1}`)
        return replyJson(reply, message.id, welcome, { 'mcp-session-id': sessions.at(-1) ?? '' })
      }
      if (message.method === from && lost.size < most) lost.add(session)
      if (!lost.has(session)) return undefined
      reply.head(404, { 'content-type': 'application/json' })
      return reply.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}')
    }
    return { serve, sessions }
  }

  test('is started again, and rejected messages are sent again', async () => {
    const { serve, sessions } = forgetful('b')
    const rig = await overHttp({ actions: [{ method: 'a' }, { method: 'b' }, { method: 'c' }] }, serve)
    await rig.driver.open()
    await rig.perform()
    const posts = rig.calls.filter(({ method }) => method === 'POST')
    expect(posts.slice(3).map(({ headers, message }) => [message.method, headers['mcp-session-id']])).toEqual([
      ['b', 's-1'],
      ['initialize', undefined],
      ['notifications/initialized', 's-2'],
      ['b', 's-2'],
      ['c', 's-2'],
    ])
    expect(traced(rig).slice(5)).toEqual([
      'out request b {}',
      'in response b malformed',
      expect.stringMatching(/^out request initialize /),
      expect.stringMatching(/^in response initialize /),
      'out request notifications/initialized {}',
      'out request b {}',
      'in response b {}',
      'out request c {}',
      'in response c {}',
    ])
    expect(codes(rig)).toEqual(['session-lost'])
    await rig.driver.close()
    expect(sessions).toEqual(['s-1', 's-2'])
    expect(rig.calls.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's-2' } })
  })

  test('is started again only once', async () => {
    const { serve, sessions } = forgetful('a', 100)
    const rig = await overHttp({ actions: [{ method: 'a' }, { method: 'a' }] }, serve)
    await rig.driver.open()
    await rig.perform()
    expect(sessions).toEqual(['s-1', 's-2'])
    expect(codes(rig)).toEqual(['session-lost'])
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'a', content: { message: 'Session not found' } })
    await rig.driver.close()
  })

  test('is started again for a notification too', async () => {
    const { serve } = forgetful('notifications/x')
    const rig = await overHttp({ actions: [{ method: 'notifications/x' }] }, serve)
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls.filter(({ message }) => message.method === 'notifications/x')).toHaveLength(2)
    expect(codes(rig)).toEqual(['session-lost'])
    await rig.driver.close()
  })

  test('has its standing stream replaced', async () => {
    const { serve } = forgetful('a')
    const standing: string[] = []
    const streams: ((message: unknown) => Promise<void>)[] = []
    const rig = await overHttp({ actions: [{ method: 'a' }] }, (call, reply) => {
      if (call.method !== 'GET') return serve(call, reply)
      standing.push(call.headers['mcp-session-id'] ?? '')
      streams.push(beginStream(reply))
      return new Promise(() => {})
    })
    await rig.driver.open()
    await rig.perform()
    await rig.clock.advance(60_000)
    expect(standing).toEqual(['s-1', 's-2'])
    for (const [from, say] of streams.entries())
      await say({ jsonrpc: '2.0', method: 'notifications/x', params: { from } })
    await settle()
    expect(rig.stage.events.filter(({ surface }) => surface === 'notifications/x')).toMatchObject([
      { content: { from: 1 } },
    ])
    expect(codes(rig)).toEqual(['session-lost'])
    await rig.driver.close()
    expect(rig.clock.pending()).toBe(0)
  })

  test('does not come back with an answer that was under way', async () => {
    const { serve, sessions } = forgetful('a')
    let answer = () => Promise.resolve()
    const rig = await overHttp({ actions: [{ method: 'a' }, { method: 'b' }] }, (call, reply) => {
      const { id, method } = call.message
      if (method === 'initialize' && sessions.length === 1) {
        return answer()
          .then(settle)
          .then(() => serve(call, reply))
      }
      if (method !== 'slow') return serve(call, reply)
      answer = () => replyJson(reply, id, {}, { 'mcp-session-id': 's-1' })
      return new Promise(() => {})
    })
    await rig.driver.open()
    await rig.driver.send({ method: 'slow' }, rig.stage.scene())
    await rig.perform()
    expect(rig.calls.at(-1)).toMatchObject({ message: { method: 'b' }, headers: { 'mcp-session-id': 's-2' } })
    await rig.driver.close()
  })

  test('that cannot be started again leaves the request without an answer', async () => {
    const { serve, sessions } = forgetful('a')
    const rig = await overHttp({ actions: [{ method: 'a' }] }, (call, reply) => {
      if (call.message.method !== 'initialize' || sessions.length === 0) return serve(call, reply)
      reply.destroy()
      return Promise.resolve()
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.reports).toMatchObject([
      { code: 'session-lost' },
      { code: 'reply-missing', message: /^a was not answered: the server did not answer initialize/ },
    ])
    await rig.driver.close()
  })
})

describe('the answer to a request', () => {
  test('may come as a stream, after other messages and a question', async () => {
    let heldBack: ((message: unknown) => Promise<void>) | undefined
    const rig = await overHttp({ actions: [{ method: 'tools/call' }] }, ({ message }, reply) => {
      if (message.method === 'tools/call') {
        const say = beginStream(reply)
        heldBack = say
        return say({ jsonrpc: '2.0', method: 'notifications/message', params: {} }).then(() =>
          say({ jsonrpc: '2.0', id: 'q', method: 'roots/list' }),
        )
      }
      if (message.result !== undefined) {
        reply.head(202)
        return reply.end().then(() => heldBack?.({ jsonrpc: '2.0', id: 2, result: { ok: true } }))
      }
      return undefined
    })
    await rig.driver.open()
    await rig.perform()
    expect(traced(rig).slice(3)).toEqual([
      'out request tools/call {}',
      'in request notifications/message {}',
      'in request roots/list {}',
      'out response roots/list {"roots":[]}',
      'in response tools/call {"ok":true}',
    ])
    expect(rig.calls.at(-1)?.message).toEqual({ jsonrpc: '2.0', id: 'q', result: { roots: [] } })
    await rig.driver.close()
  })

  test('may arrive on the open stream', async () => {
    let stand: ((message: unknown) => Promise<void>) | undefined
    const rig = await overHttp({ actions: [{ method: 'slow' }] }, ({ method, message }, reply) => {
      if (method === 'GET') {
        stand = beginStream(reply)
        return new Promise(() => {})
      }
      if (message.method !== 'slow') return undefined
      reply.head(202)
      return reply.end()
    })
    await rig.driver.open()
    const performed = rig.perform()
    await settle()
    await stand?.({ jsonrpc: '2.0', id: 2, result: { via: 'get' } })
    await performed
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'slow', content: { via: 'get' } })
    await rig.driver.close()
  })

  test('may be an error without an id, with an HTTP status', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      reply.head(400, { 'content-type': 'application/json' })
      return reply.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}')
    })
    await rig.driver.open()
    await rig.perform()
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'a', content: { code: -32000, message: 'Bad Request' } })
    expect(rig.stage.reports).toEqual([])
    await rig.driver.close()
  })

  test('keeps a wait going while its stream has messages', async () => {
    let say: ((message: unknown) => Promise<void>) | undefined
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ message }, reply) => {
      if (message.method !== 'a') return undefined
      say = beginStream(reply)
      return new Promise(() => {})
    })
    await rig.driver.open()
    const performed = rig.perform()
    for (let minute = 0; minute < 5; minute++) {
      await rig.clock.advance(25_000)
      await say?.({ jsonrpc: '2.0', method: 'notifications/message', params: { minute } })
    }
    await rig.clock.advance(25_000)
    expect(rig.stage.reports).toEqual([])
    await say?.({ jsonrpc: '2.0', id: 2, result: {} })
    await performed
    expect(rig.stage.events.at(-1)?.surface).toBe('a')
    await rig.driver.close()
  })

  test('is resumed when its stream is cut off', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ method, headers, message }, reply) => {
      if (message.method === 'a') {
        reply.head(200, { 'content-type': 'text/event-stream' })
        return reply.end(writeEvent({ data: '', id: 'e-7', retry: 300 }))
      }
      if (method !== 'GET' || headers['last-event-id'] === undefined) return undefined
      return beginStream(reply)({ jsonrpc: '2.0', id: 2, result: { again: true } }).then(() => reply.end())
    })
    await rig.driver.open()
    const performed = rig.perform()
    await rig.clock.advance(299)
    expect(rig.calls.at(-1)?.method).toBe('POST')
    await rig.clock.advance(1)
    await performed
    expect(rig.calls.at(-1)).toMatchObject({ method: 'GET', headers: { 'last-event-id': 'e-7' } })
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'a', content: { again: true } })
    await rig.driver.close()
  })
})

describe('the standing stream', () => {
  test('is resumed after the last event, up to the limit, then reported as lost', async () => {
    const rig = await overHttp({}, ({ method }, reply) => {
      if (method !== 'GET') return undefined
      reply.head(200, { 'content-type': 'text/event-stream' })
      return reply.end(`retry: 50\nid: ${rig.calls.length}\n\n`)
    })
    await rig.driver.open()
    await rig.clock.advance(10_000)
    const gets = rig.calls.filter(({ method }) => method === 'GET')
    expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '3', '4'])
    expect(codes(rig)).toEqual(['stream-lost'])
    await rig.driver.close()
  })

  test('has its retry count reset by each message', async () => {
    let left = 5
    const rig = await overHttp({}, ({ method }, reply) => {
      if (method !== 'GET') return undefined
      const say = beginStream(reply)
      const message = { jsonrpc: '2.0', method: 'notifications/message', params: { left } }
      return (left-- > 0 ? say(message) : Promise.resolve()).then(() => reply.end())
    })
    await rig.driver.open()
    await rig.clock.advance(60_000)
    expect(rig.stage.events.filter(({ surface }) => surface === 'notifications/message')).toHaveLength(5)
    expect(codes(rig)).toEqual(['stream-lost'])
    await rig.driver.close()
  })

  test('is resumed with a minimum delay, and not forever', async () => {
    const rig = await overHttp({}, ({ method }, reply) => {
      if (method !== 'GET') return undefined
      const data = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })
      reply.head(200, { 'content-type': 'text/event-stream' })
      return reply.end(writeEvent({ data, id: '1', retry: 0 }))
    })
    const gets = () => rig.calls.filter(({ method }) => method === 'GET').length
    await rig.driver.open()
    await rig.clock.advance(1000)
    expect(gets()).toBe(11)
    await rig.clock.advance(60_000)
    expect(gets()).toBe(151)
    expect(rig.stage.reports).toMatchObject([{ code: 'stream-lost', message: /for good: .* 150 times/ }])
    await rig.driver.close()
  })

  test('shares the limit of resumptions with other streams', async () => {
    const rig = await overHttp({ actions: [{ method: 'a' }] }, ({ method, message, headers }, reply) => {
      if (message.method !== 'a' && (method !== 'GET' || headers['last-event-id'] === undefined)) return undefined
      const data = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/x' })
      reply.head(200, { 'content-type': 'text/event-stream' })
      return reply.end(writeEvent({ data, id: '1', retry: 0 }))
    })
    await rig.driver.open()
    const performed = rig.perform()
    await rig.clock.advance(60_000)
    await performed
    expect(rig.calls.filter(({ method }) => method === 'GET')).toHaveLength(151)
    expect(codes(rig)).toEqual(['stream-lost', 'reply-missing'])
    await rig.driver.close()
  })

  test('is not reported when the server has none', async () => {
    for (const status of [405, 404, 200, 500]) {
      const rig = await overHttp({}, ({ method }, reply) => {
        if (method !== 'GET') return undefined
        reply.head(status)
        return reply.end('no')
      })
      await rig.driver.open()
      await rig.clock.advance(60_000)
      expect(rig.calls.filter(({ method }) => method === 'GET')).toHaveLength(1)
      expect(rig.stage.reports).toEqual([])
      await rig.driver.close()
    }
  })
})

test('headers of the caller go with everything', async () => {
  const rig = await overHttp({ actions: [{ method: 'a' }] }, undefined, [], {}, { Authorization: 'Bearer x' })
  await rig.driver.open()
  await rig.perform()
  await rig.driver.close()
  expect(rig.calls.map(({ method, headers }) => `${method} ${headers.authorization}`)).toEqual([
    'POST Bearer x',
    'POST Bearer x',
    'GET Bearer x',
    'POST Bearer x',
    'DELETE Bearer x',
  ])
})
