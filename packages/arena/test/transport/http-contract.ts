/** What holds for HTTP, however it is carried. */
import { afterEach, describe, expect, test } from 'vitest'
import type { HttpCall, HttpHandler, HttpListen, HttpListening, HttpRequest, HttpSend } from '../../src/model/http.ts'
import { textOf } from '../support/body.ts'

/** A promise that is resolved from elsewhere. */
export function gate<T = void>() {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Resolves when a signal has fired. */
export function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The suite; `limit` is the largest body that a request may have. */
export function describeHttp(name: string, limit: number, make: () => { listen: HttpListen; send: HttpSend }): void {
  describe(name, () => {
    const open: HttpListening[] = []
    const { listen, send } = make()
    const serve = async (handler: HttpHandler) => {
      const listening = await listen(handler)
      open.push(listening)
      return listening
    }
    const call = (url: string, more: Partial<HttpCall> = {}) =>
      send({ method: 'GET', url, signal: new AbortController().signal, ...more })
    afterEach(async () => {
      await Promise.all(open.splice(0).map((each) => each.close()))
    })

    test('a request arrives as it was sent, and the answer as it was given', async () => {
      const arrived = gate<HttpRequest>()
      const { origin } = await serve(async (request, reply) => {
        arrived.open(request)
        reply.head(418, { 'X-Tea': 'green', 'Content-Type': 'text/plain' })
        await reply.end('grüß')
      })
      const answer = await call(`${origin}/a/b?c=%20d`, { method: 'PUT', body: 'ä', headers: { 'X-Given': 'yes' } })
      const request = await arrived.opened
      expect(request).toMatchObject({ method: 'PUT', target: '/a/b?c=%20d' })
      expect(request.headers).toMatchObject({ 'x-given': 'yes', host: origin.slice(7), 'content-length': '2' })
      expect(request.headers).not.toHaveProperty('user-agent')
      expect(new TextDecoder().decode(request.body)).toBe('ä')
      expect(request.fault).toBeUndefined()
      expect(answer.status).toBe(418)
      expect(answer.headers).toMatchObject({ 'x-tea': 'green', 'content-type': 'text/plain' })
      expect(answer.headers).not.toHaveProperty('server')
      expect(answer.headers).not.toHaveProperty('x-powered-by')
      expect(await textOf(answer)).toBe('grüß')
      expect(request.signal.aborted).toBe(false)
    })

    test('the head arrives before the body, and parts as they are written', async () => {
      const first = gate()
      const second = gate()
      const { origin } = await serve(async (_request, reply) => {
        reply.head(200)
        await first.opened
        await reply.write('one')
        await second.opened
        await reply.end('two')
      })
      const { body } = await call(origin)
      const parts = body[Symbol.asyncIterator]()
      first.open()
      expect(new TextDecoder().decode((await parts.next()).value)).toBe('one')
      second.open()
      expect(new TextDecoder().decode((await parts.next()).value)).toBe('two')
      expect((await parts.next()).done).toBe(true)
    })

    test('a redirect is an answer like any other', async () => {
      const { origin } = await serve(async (_request, reply) => {
        reply.head(302, { location: '/elsewhere' })
        await reply.end()
      })
      const answer = await call(origin)
      expect([answer.status, answer.headers.location]).toEqual([302, '/elsewhere'])
      expect(await textOf(answer)).toBe('')
    })

    test('a HEAD request is answered without a body', async () => {
      const { origin } = await serve(async (_request, reply) => reply.end('never seen'))
      const answer = await call(origin, { method: 'HEAD' })
      expect([answer.status, await textOf(answer)]).toEqual([200, ''])
    })

    test('a body over the limit is cut, with a fault', async () => {
      const arrived = gate<HttpRequest>()
      const { origin } = await serve(async (request, reply) => {
        arrived.open(request)
        await reply.end('seen')
      })
      const answer = await call(origin, { method: 'POST', body: 'x'.repeat(limit + 1) })
      expect(await textOf(answer)).toBe('seen')
      const { body, fault } = await arrived.opened
      expect([body.length, fault]).toEqual([limit, `body is larger than ${limit} bytes`])
    })

    test('a body at the limit is whole', async () => {
      const arrived = gate<HttpRequest>()
      const { origin } = await serve(async (request, reply) => {
        arrived.open(request)
        await reply.end()
      })
      await textOf(await call(origin, { method: 'POST', body: 'x'.repeat(limit) }))
      const { body, fault } = await arrived.opened
      expect([body.length, fault]).toEqual([limit, undefined])
    })

    test('an aborted signal sends no request', async () => {
      const { origin } = await serve(async () => expect.unreachable())
      await expect(call(origin, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'stopped' })
    })

    test('aborting while the answer is pending rejects, and aborts the server’s signal', async () => {
      const arrived = gate<HttpRequest>()
      const { origin } = await serve(async (request) => arrived.open(request))
      const abort = new AbortController()
      const answer = call(origin, { signal: abort.signal })
      const { signal } = await arrived.opened
      abort.abort()
      await expect(answer).rejects.toMatchObject({ name: 'ArenaError', code: 'stopped' })
      await fired(signal)
    })

    test('aborting while the body comes rejects, and writes do not hang', async () => {
      const stopped = gate()
      const { origin } = await serve(async (request, reply) => {
        while (!request.signal.aborted) await reply.write('x'.repeat(10_000))
        await reply.write('more')
        await reply.end('last')
        stopped.open()
      })
      const abort = new AbortController()
      const { body } = await call(origin, { signal: abort.signal })
      const parts = body[Symbol.asyncIterator]()
      await parts.next()
      abort.abort()
      await expect(parts.next()).rejects.toMatchObject({ name: 'ArenaError', code: 'stopped' })
      expect((await parts.next()).done).toBe(true)
      await stopped.opened
    })

    test('abandoning the body aborts the server’s signal', async () => {
      const told = gate()
      const { origin } = await serve(async (request, reply) => {
        await reply.write('one')
        await fired(request.signal)
        told.open()
      })
      for await (const _ of (await call(origin)).body) break
      await told.opened
    })

    test('a slow reader makes the writer wait', async () => {
      let written = 0
      const held = gate()
      const { origin } = await serve(async (request, reply) => {
        let waiting = true
        while (waiting && !request.signal.aborted) {
          written += 100_000
          // Room appears within a few turns of the event loop, or not at all.
          waiting = await Promise.race([reply.write('x'.repeat(100_000)).then(() => true), turns(200)])
        }
        held.open()
        await reply.end('!')
      })
      const answer = await call(origin)
      await held.opened
      expect((await textOf(answer)).length).toBe(written + 1)
    })

    test('a truncated answer rejects', async () => {
      const { origin } = await serve(async (_request, reply) => {
        await reply.write('half')
        reply.destroy()
        await reply.end('lost')
      })
      await expect(call(origin).then(textOf)).rejects.toMatchObject({ name: 'ArenaError', code: 'connection_lost' })
    })

    test('a connection that breaks before the head rejects', async () => {
      const { origin } = await serve(async (_request, reply) => reply.destroy())
      await expect(call(origin)).rejects.toMatchObject({ name: 'ArenaError', code: 'connection_lost' })
    })

    test('a handler that throws ends its connection, and no other', async () => {
      const { origin } = await serve(async ({ target }, reply) => {
        if (target === '/bad') throw new Error('ours')
        await reply.end('fine')
      })
      await expect(call(`${origin}/bad`)).rejects.toMatchObject({ code: 'connection_lost' })
      expect(await textOf(await call(`${origin}/good`))).toBe('fine')
    })

    test('closing ends all connections, is idempotent, and frees the address', async () => {
      const arrived = gate<HttpRequest>()
      const listening = await serve(async (request, reply) => {
        await reply.write('data: 1\n\n')
        arrived.open(request)
      })
      const answer = await call(listening.origin)
      const { signal } = await arrived.opened
      await Promise.all([listening.close(), listening.close()])
      await fired(signal)
      await expect(textOf(answer)).rejects.toMatchObject({ code: 'connection_lost' })
      await expect(call(listening.origin)).rejects.toMatchObject({
        code: 'connect_failed',
        message: expect.stringContaining(listening.origin.slice(7)),
      })
    })

    test('several servers listen at once, each at its own origin', async () => {
      const origins = await Promise.all(
        ['a', 'b'].map(async (name) => (await serve(async (_request, reply) => reply.end(name))).origin),
      )
      expect(new Set(origins).size).toBe(2)
      expect(await Promise.all(origins.map(async (origin) => textOf(await call(origin))))).toEqual(['a', 'b'])
    })

    test('an invalid address rejects', async () => {
      for (const url of ['', 'nowhere', 'ftp://127.0.0.1/x', 'http://', 'http://[']) {
        await expect(call(url), url).rejects.toMatchObject({ name: 'ArenaError', code: 'connect_failed' })
      }
    })

    test('sending the head twice is an internal error', async () => {
      const thrown = gate<unknown>()
      const { origin } = await serve(async (_request, reply) => {
        reply.head(200)
        try {
          reply.head(201)
        } catch (error) {
          thrown.open(error)
        }
        await reply.end()
      })
      expect((await call(origin)).status).toBe(200)
      expect(await thrown.opened).toBeInstanceOf(Error)
    })
  })
}

async function turns(count: number): Promise<false> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  return false
}
