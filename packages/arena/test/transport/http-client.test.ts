import { getEventListeners, once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { HttpCall } from '../../src/model/http.ts'
import { createHttpSend } from '../../src/transport/http-client.ts'
import { textOf } from '../support/body.ts'
import { settle } from '../support/fake-clock.ts'
import { gate } from './http-contract.ts'
import { handlesReleased, openHandles } from './resources.ts'

const before = openHandles()
const servers: { server: Server; sockets: Socket[] }[] = []
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  await handlesReleased(before)
})

/** A peer with full control over its connections. */
async function peer(act: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    act(socket)
  }).listen(0, '127.0.0.1')
  servers.push({ server, sockets })
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

function send(url: string, more: Partial<HttpCall> = {}) {
  return createHttpSend()({ method: 'GET', url, signal: new AbortController().signal, ...more })
}

test('only the given headers are sent', async () => {
  const seen = gate<string>()
  const place = await peer((socket) => socket.once('data', (data) => seen.open(String(data))))
  const abort = new AbortController()
  const answer = send(`http://${place}/p`, {
    method: 'POST',
    body: '{}',
    headers: { 'X-Mine': '1' },
    signal: abort.signal,
  })
  const [head = '', body] = (await seen.opened).split('\r\n\r\n')
  abort.abort()
  await expect(answer).rejects.toMatchObject({ code: 'stopped' })
  const [first, ...headers] = head.split('\r\n')
  expect(first).toBe('POST /p HTTP/1.1')
  expect(headers.sort()).toEqual(['Connection: close', `Host: ${place}`, 'X-Mine: 1', 'content-length: 2'])
  expect(body).toBe('{}')
})

test('a refused connection names the address', async () => {
  const place = await peer(() => {})
  const gone = servers.pop()
  gone?.server.close()
  await expect(send(`http://${place}`)).rejects.toMatchObject({
    code: 'connect_failed',
    message: expect.stringMatching(`cannot connect to ${place}: .*ECONNREFUSED`),
  })
  await expect(send(`http://localhost:${place.split(':')[1]}`)).rejects.toMatchObject({
    code: 'connect_failed',
    message: expect.stringMatching(/cannot connect to localhost:\d+: .*ECONNREFUSED/),
  })
})

test.each([
  ['silence', ''],
  ['garbage', 'no HTTP\r\n\r\n'],
  ['half a head', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ['a head without end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`],
])('%s and a closed connection is not an answer', async (_what, bytes) => {
  const place = await peer((socket) => socket.once('data', () => socket.end(bytes)))
  await expect(send(`http://${place}`)).rejects.toMatchObject({
    code: 'connection_lost',
    message: expect.stringContaining(place),
  })
})

test.each([
  ['within a length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'],
  ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf'],
  ['between chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
  ['with a bad chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n'],
])('a peer killed %s: what came is given, then the loss', async (_where, bytes) => {
  const place = await peer((socket) => socket.once('data', () => socket.end(bytes)))
  const { status, body } = await send(`http://${place}`)
  const seen: string[] = []
  const reading = (async () => {
    for await (const chunk of body) seen.push(new TextDecoder().decode(chunk))
  })()
  await expect(reading).rejects.toMatchObject({ name: 'ArenaError', code: 'connection_lost' })
  expect([status, seen.join('')]).toEqual([200, 'half'])
})

test('a reset connection is a loss', async () => {
  const place = await peer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n', () => socket.resetAndDestroy())
    })
  })
  await expect(send(`http://${place}`).then(textOf)).rejects.toMatchObject({ code: 'connection_lost' })
})

test('a body that ends with the connection is whole', async () => {
  const place = await peer((socket) => socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it')))
  expect(await textOf(await send(`http://${place}`))).toBe('all of it')
})

test('repeated headers are joined', async () => {
  const place = await peer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nset-cookie: b\r\n\r\n')),
  )
  expect((await send(`http://${place}`)).headers).toEqual({ 'set-cookie': 'a, b' })
})

test('the signal ends a request to a server that accepts and never answers', async () => {
  const accepted = gate<Socket>()
  const place = await peer((socket) => {
    socket.resume()
    accepted.open(socket)
  })
  const abort = new AbortController()
  const answer = send(`http://${place}`, { signal: abort.signal })
  const socket = await accepted.opened
  abort.abort()
  await expect(answer).rejects.toMatchObject({ code: 'stopped' })
  await once(socket, 'close')
})

test('the signal ends a half-open stream', async () => {
  const place = await peer((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n')),
  )
  const abort = new AbortController()
  const { body } = await send(`http://${place}`, { signal: abort.signal })
  const parts = body[Symbol.asyncIterator]()
  await parts.next()
  const next = parts.next()
  abort.abort()
  await expect(next).rejects.toMatchObject({ code: 'stopped' })
})

test('an unread short body does not hold the connection', async () => {
  const place = await peer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok')),
  )
  const closed = gate()
  servers.at(-1)?.server.on('connection', (socket) => socket.once('close', () => closed.open()))
  const answer = await send(`http://${place}`)
  await closed.opened
  expect(await textOf(answer)).toBe('ok')
})

test('an answer before the end of the request is accepted', async () => {
  const place = await peer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
      socket.resume()
    })
  })
  const answer = await send(`http://${place}`, { method: 'POST', body: new Uint8Array(4_000_000) })
  expect(answer.status).toBe(413)
})

test.each([
  ['a header', { headers: { a: 'b\r\nc' } }],
  ['a header name', { headers: { 'a b': 'c' } }],
  ['a method', { method: 'GE T' }],
])('%s that cannot be sent rejects', async (_what, more) => {
  const place = await peer(() => {})
  await expect(send(`http://${place}`, more)).rejects.toMatchObject({ name: 'ArenaError', code: 'connect_failed' })
})

test('a peer without TLS cannot be connected to', async () => {
  const place = await peer((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  await expect(send(`https://${place}`)).rejects.toMatchObject({ code: 'connect_failed' })
})

test('no listener remains on the signal of the caller', async () => {
  const place = await peer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')),
  )
  const { signal } = new AbortController()
  const answer = send(`http://${place}`, { signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await textOf(await answer)
  await settle()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
