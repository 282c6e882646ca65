/** A server over sockets that answers as told and does not identify itself. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { accessFault, createBoundedBytes, isLoopback, strictText, tokenFault } from '@joust/io'
import type { HttpHandler, HttpListen, HttpListening, HttpReply, HttpRequest } from '../model/http.ts'
import { arenaLimits } from '../model/limits.ts'
import { endStream, headersOf, isOpen, worldError, writeChunk } from './streams.ts'

/** Where to listen, and what a peer may send. */
export interface HttpServerOptions {
  /** Default: loopback. */
  readonly host?: string
  /** Default: any free port. */
  readonly port?: number
  /** What peers on other machines have to send as a bearer token. */
  readonly token?: string
  /** More names that `Host` may have when other machines can connect. */
  readonly allowedHosts?: readonly string[]
  readonly maxBodyBytes: number
  /** How long a request may take to come in, in milliseconds; an answer may take forever. */
  readonly receiveMs?: number
  /** Bytes that were not a request, as text, and why. They are answered with 400. */
  readonly onGarbage?: (text: string, reason: string) => void
  /** Why somebody who may not ask here was turned away: a stranger, not a peer. */
  readonly onRefused?: (reason: string) => void
  /** What a handler threw. */
  readonly onDefect?: (thrown: unknown) => void
}

/** A way to listen; each call takes a port of its own when none was given. */
export function listenHttp(options: HttpServerOptions): HttpListen {
  return async (handler) => {
    const { receiveMs = arenaLimits.receiveMs } = options
    const server = createServer({
      requireHostHeader: false,
      requestTimeout: receiveMs,
      headersTimeout: receiveMs,
      connectionsCheckingInterval: receiveMs / 2,
    })
    const sockets = new Set<Socket>()
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    const serve = (request: IncomingMessage, response: ServerResponse) =>
      void answer(request, response, handler, options)
    server.on('request', serve)
    server.on('checkExpectation', serve)
    refuseGarbage(server, options)
    return listening(server, sockets, options)
  }
}

async function listening(server: Server, sockets: Set<Socket>, options: HttpServerOptions): Promise<HttpListening> {
  const { host = '127.0.0.1', port = 0 } = options
  const name = host.includes(':') ? `[${host}]` : host
  const begun = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  await begun.catch((thrown: unknown) => {
    throw worldError('listen_failed', `cannot listen on ${name}:${port}`, thrown)
  })
  server.on('error', (error) => options.onDefect?.(error))
  // A server on a port (not on a socket file) has this kind of address while it listens.
  const address = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return {
    origin: `http://${name}:${address.port}`,
    close() {
      closed ??= close()
      return closed
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handler: HttpHandler,
  options: HttpServerOptions,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort('the peer is gone')
  })
  // Stays: a peer that is gone must not bring the process down.
  response.on('error', () => {})
  try {
    const refused = accessRefusal(request, options)
    if (refused !== undefined) {
      options.onRefused?.(refused.reason)
      request.resume()
      return void response.writeHead(refused.status, { 'content-type': 'text/plain' }).end(`${refused.reason}\n`)
    }
    const read = await readBody(request, options.maxBodyBytes)
    // A parsed request has both; the types cover messages of clients as well.
    const { method = '', url: target = '' } = request
    const headers = headersOf(request)
    await handler({ method, target, headers, ...read, signal: gone.signal }, createHttpReply(request, response))
  } catch (thrown) {
    request.socket.destroy()
    options.onDefect?.(thrown)
  }
}

/** Why a request is not for the handler. On loopback only web pages are kept out, by `drivers/guard.ts`. */
function accessRefusal(
  { headers, socket }: IncomingMessage,
  { host = '127.0.0.1', allowedHosts = [], token }: HttpServerOptions,
): { readonly status: number; readonly reason: string } | undefined {
  if (isLoopback(host)) return undefined
  const access = accessFault(headers, host, { allowedHosts })
  if (access !== undefined) return { status: 403, reason: access.message }
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  const missing = isLoopback(from) ? undefined : tokenFault(headers, token)
  return missing === undefined ? undefined : { status: 401, reason: missing }
}

type Body = Pick<HttpRequest, 'body' | 'fault'>

/** Resolves when the body is complete, over the limit, or broken off. What comes over the limit is read and dropped. */
function readBody(request: IncomingMessage, maxBodyBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    const kept = createBoundedBytes(maxBodyBytes)
    const add = (chunk: Buffer) => {
      if (!kept.add(chunk)) finish(`body is larger than ${maxBodyBytes} bytes`)
    }
    const end = () => finish()
    const breakOff = () => finish('body broke off')
    const finish = (fault?: string) => {
      request.off('data', add).off('end', end).off('close', breakOff)
      request.resume()
      resolve({ body: kept.bytes(), ...(fault === undefined ? {} : { fault }) })
    }
    request.on('data', add).on('end', end).on('close', breakOff)
    // Stays, even after the body: only the end that follows counts.
    request.on('error', breakOff)
  })
}

/** Answers what is not a request with 400, unless an answer to an earlier request is under way on that socket. */
function refuseGarbage(server: Server, options: HttpServerOptions): void {
  const busy = new WeakSet<Duplex>()
  server.on('request', ({ socket }, response) => {
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
  })
  const refuse = (socket: Duplex, text: string, reason: string) => {
    options.onGarbage?.(text.slice(0, options.maxBodyBytes), reason)
    if (busy.has(socket) || !socket.writable) return void socket.destroy()
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy())
  }
  server.on('clientError', (error: Error & { code?: string; rawPacket?: Buffer }, socket) => {
    // A connection that broke brought nothing.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void socket.destroy()
    refuse(socket, error.rawPacket === undefined ? '' : strictText(error.rawPacket).text, error.message)
  })
  server.on('connect', ({ url }, socket) => refuse(socket, `CONNECT ${url}`, 'tunnels are not supported'))
}

/** How a request that came in over a socket is answered. */
function createHttpReply(request: IncomingMessage, response: ServerResponse): HttpReply {
  let headed = false
  return {
    head(status, headers = {}) {
      if (!isOpen(response)) return
      if (headed) throw new Error('the head of an answer was sent twice')
      if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError(`not a status: ${status}`)
      headed = true
      response.statusCode = status
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      // Deferred: an answer that ends in the same turn is sent in one piece, with its length.
      queueMicrotask(() => {
        if (isOpen(response)) response.flushHeaders()
      })
    },
    async write(chunk) {
      if (chunk.length > 0) await writeChunk(response, chunk)
    },
    end: (chunk) => endStream(response, chunk),
    destroy: () => void request.socket.destroy(),
  }
}
