import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import type { HttpHandler, HttpListening, HttpRequest } from '../../src/model/http.ts'
import { createHttpSend } from '../../src/transport/http-client.ts'
import { type HttpServerOptions, listenHttp } from '../../src/transport/http-server.ts'
import { textOf } from '../support/body.ts'
import { describeHttp, fired, gate } from './http-contract.ts'
import { handlesReleased, openHandles } from './resources.ts'

const before = openHandles()
const open: HttpListening[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await handlesReleased(before)
})

async function serve(handler: HttpHandler, options: Partial<HttpServerOptions> = {}) {
  const listening = await listenHttp({ maxBodyBytes: 1000, ...options })(handler)
  open.push(listening)
  return listening
}

async function dial({ origin }: HttpListening): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const ok: HttpHandler = (_request, reply) => reply.end('ok')

test('a port in use is named', async () => {
  const { origin } = await serve(ok)
  const port = Number(new URL(origin).port)
  await expect(listenHttp({ port, maxBodyBytes: 1 })(ok)).rejects.toMatchObject({
    name: 'ArenaError',
    code: 'listen_failed',
    message: expect.stringMatching(`cannot listen on 127.0.0.1:${port}: .*EADDRINUSE`),
  })
})

test.each([[{ port: 70_000 }], [{ host: 'no.such.host.invalid' }]])('%j cannot be listened on', async (where) => {
  await expect(listenHttp({ ...where, maxBodyBytes: 1 })(ok)).rejects.toMatchObject({ code: 'listen_failed' })
})

test('a truncated body is passed on with a fault', async () => {
  const arrived = gate<HttpRequest>()
  const socket = await dial(await serve(async (request) => arrived.open(request)))
  socket.write('POST /x HTTP/1.1\r\ncontent-length: 10\r\n\r\nhalf')
  socket.end()
  const { body, fault, signal } = await arrived.opened
  expect([new TextDecoder().decode(body), fault]).toEqual(['half', 'body was cut off'])
  await fired(signal)
})

test('an endless body is answered once it is over the limit, and does not hold the close', async () => {
  const socket = await dial(await serve((request, reply) => reply.end(request.fault)))
  socket.write('POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n')
  const more = (error?: Error | null) => {
    if (!error) socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, more)
  }
  more()
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('body is larger than 1000 bytes')
})

test('a request without a host, with repeated headers or an expectation is a request', async () => {
  const arrived = gate<HttpRequest>()
  const socket = await dial(
    await serve(async (request, reply) => {
      arrived.open(request)
      await reply.end()
    }),
  )
  socket.end('GET * HTTP/1.1\r\nexpect: tea\r\nA: 1\r\na: 2\r\nConnection: close\r\n\r\n')
  expect(await arrived.opened).toMatchObject({ target: '*', headers: { a: '1, 2', expect: 'tea' } })
  expect((await text(socket)).split('\r\n')[0]).toBe('HTTP/1.1 200 OK')
})

test.each([
  ['no HTTP at all\r\n\r\n', 'no HTTP at all\r\n\r\n'],
  ['\x16\x03\x01\x02\x00', '\x16\x03\x01\x02\x00'],
  ['CONNECT example.test:443 HTTP/1.1\r\n\r\n', 'CONNECT example.test:443'],
])('garbage %j is rejected and reported', async (sent, told) => {
  const seen = gate<readonly string[]>()
  const socket = await dial(await serve(ok, { onGarbage: (...all) => seen.open(all) }))
  socket.write(sent)
  expect((await text(socket)).split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
  expect(await seen.opened).toEqual([told, expect.stringMatching(/./)])
})

test('garbage behind a request does not write into its answer', async () => {
  const socket = await dial(await serve((_request, reply) => reply.write('begun'), { onGarbage: () => {} }))
  socket.write('GET / HTTP/1.1\r\n\r\n')
  let seen = ''
  socket.on('data', (chunk) => {
    seen += String(chunk)
  })
  await once(socket, 'data')
  socket.write('garbage\r\n\r\n')
  await once(socket, 'close')
  expect(seen).not.toContain('400')
})

test('a slow request is rejected, an answer has no time limit', async () => {
  const refused = gate<string>()
  const listening = await serve(
    async (_request, reply) => {
      reply.head(200)
      await refused.opened
      await reply.end('whenever')
    },
    { receiveMs: 10, onGarbage: (_text, reason) => refused.open(reason) },
  )
  const answer = await createHttpSend()({ method: 'GET', url: listening.origin, signal: new AbortController().signal })
  const socket = await dial(listening)
  socket.write('GET / HTTP/1.1\r\nhalf')
  expect((await text(socket)).split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
  expect(await refused.opened).toBe('Request timeout')
  expect(await textOf(answer)).toBe('whenever')
})

test('exceptions of a handler are reported', async () => {
  const defect = gate<unknown>()
  const listening = await serve(() => Promise.reject(new Error('ours')), { onDefect: defect.open })
  const socket = await dial(listening)
  socket.write('GET / HTTP/1.1\r\n\r\n')
  expect(await text(socket)).toBe('')
  expect(await defect.opened).toEqual(new Error('ours'))
})

test.each([
  ['a status', (reply: Parameters<HttpHandler>[1]) => reply.head(20)],
  ['a header', (reply: Parameters<HttpHandler>[1]) => reply.head(200, { a: 'b\r\nc: d' })],
])('%s that cannot be sent is a defect of that answer only', async (_what, head) => {
  const defect = gate<unknown>()
  const listening = await serve(async (_request, reply) => head(reply), { onDefect: defect.open })
  const socket = await dial(listening)
  socket.write('GET / HTTP/1.1\r\n\r\n')
  expect(await text(socket)).toBe('')
  expect(await defect.opened).toBeInstanceOf(Error)
})

test('a short answer has its length, a long one is streamed at once', async () => {
  const later = gate()
  const listening = await serve(async ({ target }, reply) => {
    reply.head(200)
    if (target === '/later') await later.opened
    await reply.end('four')
  })
  const send = createHttpSend()
  const call = (path: string) =>
    send({ method: 'GET', url: `${listening.origin}${path}`, signal: new AbortController().signal })
  const [short, long] = [await call('/'), await call('/later')]
  later.open()
  expect([short.headers['content-length'], await textOf(short)]).toEqual(['4', 'four'])
  expect([long.headers['transfer-encoding'], await textOf(long)]).toEqual(['chunked', 'four'])
})

test('closing ends kept-alive, half-sent and silent connections and open streams at once', async () => {
  const listening = await serve(async ({ target }, reply) => {
    await reply.write('x')
    if (target === '/short') await reply.end()
  })
  const sent = ['', 'GET / HT', 'GET /short HTTP/1.1\r\n\r\n', 'GET /stream HTTP/1.1\r\n\r\n']
  const closed = sent.map(async (part) => {
    const socket = await dial(listening)
    socket.write(part)
    socket.resume()
    if (part.includes('HTTP')) await once(socket, 'data')
    return { closed: once(socket, 'close') }
  })
  const all = await Promise.all(closed)
  await listening.close()
  await Promise.all(all.map((each) => each.closed))
})

describe('access control', () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

  async function listen(host: string, more: { token?: string; allowedHosts?: readonly string[] } = {}) {
    const refused: string[] = []
    const listening = await listenHttp({
      host,
      ...more,
      maxBodyBytes: 1000,
      onRefused: (reason) => refused.push(reason),
    })(async (_, reply) => {
      reply.head(200)
      await reply.end('hello')
    })
    open.push(listening)
    return { port: Number(new URL(listening.origin).port), refused }
  }

  function ask(host: string, port: number, headers: Record<string, string> = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      request({ host, port, headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
  }

  test('Host and Origin are checked beyond loopback', async () => {
    const { port, refused } = await listen('0.0.0.0', { allowedHosts: ['agent-host.example'] })
    const here = `127.0.0.1:${port}`
    expect(await ask('127.0.0.1', port)).toBe(200)
    expect(await ask('127.0.0.1', port, { host: 'rebound.example' })).toBe(403)
    expect(await ask('127.0.0.1', port, { host: `agent-host.example:${port}` })).toBe(200)
    expect(await ask('127.0.0.1', port, { origin: 'https://page.example' })).toBe(403)
    expect(await ask('127.0.0.1', port, { origin: `http://${here}` })).toBe(200)
    expect(refused).toHaveLength(2)
  })

  test('on loopback all requests are accepted', async () => {
    const { port } = await listen('127.0.0.1')
    expect(await ask('127.0.0.1', port, { host: 'any.example', origin: 'https://page.example' })).toBe(200)
  })

  test.skipIf(outside === undefined)('peers on other machines need a token', async () => {
    const { port, refused } = await listen('0.0.0.0', { token: 'open sesame' })
    const from = outside ?? ''
    expect(await ask(from, port)).toBe(401)
    expect(await ask(from, port, { authorization: 'Bearer close sesame' })).toBe(401)
    expect(await ask(from, port, { authorization: 'Bearer open sesame' })).toBe(200)
    expect(await ask('127.0.0.1', port)).toBe(200)
    expect(refused).toHaveLength(2)
  })
})

describeHttp('HTTP over sockets', 5000, () => ({
  listen: listenHttp({ maxBodyBytes: 5000 }),
  send: createHttpSend(),
}))
