/** An HTTP server over sockets that sends no identifying header. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkAccess, checkToken, createBoundedBytes, isLoopback, strictText } from '@joust/io'
import type { HttpHandler, HttpListen, HttpListening, HttpReply, HttpRequest } from '../model/http.ts'
import { arenaLimits } from '../model/limits.ts'
import { endStream, environmentError, headersOf, isOpen, writeChunk } from './streams.ts'

/** Address, access control and limits of a server. */
export interface HttpServerOptions {
  /** @default '127.0.0.1' */
  readonly host?: string
  /** @default a free port */
  readonly port?: number
  /** The bearer token that peers on other machines must send. @default none: no token is required */
  readonly token?: string
  /** Additional allowed `Host` values when other machines can connect. @default [] */
  readonly allowedHosts?: readonly string[]
  readonly maxBodyBytes: number
  /** Timeout for receiving a request, in milliseconds. Responses have no time limit. @default arenaLimits.receiveMs */
  readonly receiveMs?: number
  /** Called with bytes that are not a request, as text, and the reason. They get a 400 response. @default none */
  readonly onGarbage?: (text: string, reason: string) => void
  /** Called with the reason if access control rejects a request. @default none */
  readonly onRefused?: (reason: string) => void
  /** Called with exceptions thrown by the handler. @default none */
  readonly onDefect?: (thrown: unknown) => void
}

/** Creates a listen function. If no port is set, each call uses a free port. */
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
  const started = new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  await started.catch((thrown: unknown) => {
    throw environmentError('listen_failed', `cannot listen on ${name}:${port}`, thrown)
  })
  server.on('error', (error) => options.onDefect?.(error))
  // A server that listens on a port has this kind of address.
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
    if (!response.writableFinished) gone.abort('the peer disconnected')
  })
  // Not removed: a disconnected peer must not crash the process.
  response.on('error', () => {})
  try {
    const refused = accessRefusal(request, options)
    if (refused !== undefined) {
      options.onRefused?.(refused.reason)
      request.resume()
      return void response.writeHead(refused.status, { 'content-type': 'text/plain' }).end(`${refused.reason}\n`)
    }
    const read = await readBody(request, options.maxBodyBytes)
    // Node sets both for an incoming request.
    const { method = '', url: target = '' } = request
    const headers = headersOf(request)
    await handler({ method, target, headers, ...read, signal: gone.signal }, createHttpReply(request, response))
  } catch (thrown) {
    request.socket.destroy()
    options.onDefect?.(thrown)
  }
}

/** For requests from other machines. On loopback, `drivers/guard.ts` rejects requests from web pages. */
function accessRefusal(
  { headers, socket }: IncomingMessage,
  { host = '127.0.0.1', allowedHosts = [], token }: HttpServerOptions,
): { readonly status: number; readonly reason: string } | undefined {
  if (isLoopback(host)) return undefined
  const access = checkAccess(headers, host, { allowedHosts })
  if (!access.ok) return { status: 403, reason: access.error.message }
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  const admitted = checkToken(headers, isLoopback(from) ? undefined : token)
  return admitted.ok ? undefined : { status: 401, reason: admitted.error }
}

type Body = Pick<HttpRequest, 'body' | 'fault'>

/** Stops at the limit and discards the rest. */
function readBody(request: IncomingMessage, maxBodyBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    const bytes = createBoundedBytes(maxBodyBytes)
    const add = (chunk: Buffer) => {
      if (!bytes.add(chunk)) finish(`body is larger than ${maxBodyBytes} bytes`)
    }
    const end = () => finish()
    const breakOff = () => finish('body was cut off')
    const finish = (fault?: string) => {
      request.off('data', add).off('end', end).off('close', breakOff)
      request.resume()
      resolve({ body: bytes.bytes(), ...(fault === undefined ? {} : { fault }) })
    }
    request.on('data', add).on('end', end).on('close', breakOff)
    // Not removed after the body: later errors are ignored.
    request.on('error', breakOff)
  })
}

/** Responds to invalid requests with 400, unless an earlier response on the same socket is pending. */
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
    // Nothing was received.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return void socket.destroy()
    refuse(socket, error.rawPacket === undefined ? '' : strictText(error.rawPacket).text, error.message)
  })
  server.on('connect', ({ url }, socket) => refuse(socket, `CONNECT ${url}`, 'tunnels are not supported'))
}

function createHttpReply(request: IncomingMessage, response: ServerResponse): HttpReply {
  let headed = false
  return {
    head(status, headers = {}) {
      if (!isOpen(response)) return
      if (headed) throw new Error('the response headers were sent twice')
      if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError(`not a status: ${status}`)
      headed = true
      response.statusCode = status
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      // Deferred, so that a complete response is sent in one piece with its length.
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
