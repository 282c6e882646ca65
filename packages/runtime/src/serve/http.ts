/** What all servers share: on the loopback interface by default, guarded, bounded, and stopped cleanly. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '@joust/agentformat'
import { type AccessOptions, accessFault, bracketed, endsWithin, listedOrigin, onAbort, tokenFault } from '@joust/io'
import { messageOf } from '@joust/source'
import { RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { RunOptions } from '../model/options.ts'
import type { Runtime } from '../runtime.ts'

/** How an agent is served. */
export interface ServeOptions extends AccessOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** What clients have to send: `Authorization: Bearer …`. */
  readonly token?: string
  /** The largest body of a request; default 1 MiB. */
  readonly maxBodyBytes?: number
  /** The memory that runs share; without one the agent remembers nothing between requests. */
  readonly memoryScope?: string | undefined
  /** Whether to refuse to serve an agent that lacks something; default true. What is mapped, a run connects. */
  readonly prepare?: boolean
}

/** A running server. */
export interface Served {
  readonly url: string
  /** Cancels what is running, ends what is open, releases the port. Can be called again. */
  close(): Promise<void>
}

/** One request. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  /** Fires when the client is gone or the server stops. */
  readonly signal: AbortSignal
}

/** Serves; rejects with a `RunFailure` when the address is invalid or not available. */
export async function serveHttp(
  handle: (exchange: Exchange) => Promise<void>,
  options: ServeOptions,
  onClose: () => Promise<void> | void = () => {},
): Promise<Served> {
  const host = options.host || '127.0.0.1'
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  const server = createServer({ requestTimeout: runtimeLimits.receiveMs }, (request, response) => {
    const answered = answer(handle, request, response, { host, options, stopping: stopping.signal })
    open.add(answered)
    answered.finally(() => open.delete(answered))
  })
  const { port } = await listen(server, host, options.port ?? 0)
  let closed: Promise<void> | undefined
  const close = async () => {
    stopping.abort(new Error('the server is stopping'))
    const ended = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.all([onClose(), endsWithin(Promise.allSettled(open), runtimeLimits.stopMs)])
    server.closeAllConnections()
    await ended
  }
  return {
    url: `http://${bracketed(host)}:${port}/`,
    close() {
      closed ??= close()
      return closed
    },
  }
}

/** Answers with an object. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.end()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers with an error of JSON-RPC that belongs to no request. */
export function sendRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } })
}

/** What JSON-RPC calls a body that cannot be read. */
export const PARSE_ERROR = -32_700

/** Answers a method that a path does not have. */
export function refuseMethod(response: ServerResponse, allowed: string): void {
  response.setHeader('allow', allowed)
  sendJson(response, 405, { error: `use ${allowed}` })
}

interface Guard {
  readonly host: string
  readonly options: ServeOptions
  readonly stopping: AbortSignal
}

/** Settles when all of the answer has been sent. Never rejects. */
async function answer(
  handle: (exchange: Exchange) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
  { host, options, stopping }: Guard,
): Promise<void> {
  const gone = new AbortController()
  const unfollow = onAbort(stopping, () => gone.abort(stopping.reason))
  const done = new Promise<void>((resolve) => {
    response.on('finish', resolve)
    response.on('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the client disconnected'))
      resolve()
    })
  })
  // If the client breaks off, `close` says so.
  response.on('error', () => {})
  try {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (admit(request, response, host, options)) await handle({ request, response, path, signal: gone.signal })
  } catch (thrown) {
    sendJson(response, 500, { error: `the request could not be answered: ${messageOf(thrown)}` })
  }
  await done
  unfollow()
}

/** Whether the request is let through; if not, it has been answered. */
function admit(request: IncomingMessage, response: ServerResponse, host: string, options: ServeOptions): boolean {
  const fault = accessFault(request.headers, host, options)
  if (fault !== undefined) {
    sendJson(response, 403, { error: fault.message })
    return false
  }
  const origin = listedOrigin(request.headers.origin, options)
  // A browser asks in advance whether it may, and sends no token with that.
  const missing =
    origin !== undefined && request.method === 'OPTIONS' ? undefined : tokenFault(request.headers, options.token)
  if (missing !== undefined) {
    response.setHeader('www-authenticate', 'Bearer')
    sendJson(response, 401, { error: missing })
    return false
  }
  if (origin === undefined) return true
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', 'mcp-session-id')
  response.setHeader('vary', 'origin')
  if (request.method !== 'OPTIONS') return true
  const headers = {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': PAGE_HEADERS.join(', '),
  }
  response.writeHead(204, headers).end()
  return false
}

/** The headers that clients of the three protocols send. */
const PAGE_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'last-event-id',
  'a2a-version',
  'a2a-extensions',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]

const LAST_PORT = 65_535

async function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT) {
    const message = `the port must be a whole number from 0 to ${LAST_PORT}, not ${port}`
    throw new RunFailure({ code: 'config_invalid', message, agent: [] })
  }
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const message = `cannot listen on ${bracketed(host)}:${port}: ${error.message}`
      reject(new RunFailure({ code: 'listen_failed', message, agent: [], cause: { message: error.message } }))
    }
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      // A server that listens on a port has this kind of address.
      resolve(server.address() as AddressInfo)
    })
  })
}

/** An answer that is sent piece by piece. */
interface EventStream {
  send(data: unknown): void
  end(): void
}

/** Starts the answer. A client that reads too slowly is disconnected. */
export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  return {
    send(data) {
      if (response.writableEnded || response.destroyed) return
      response.write(`data: ${JSON.stringify(data)}\n\n`)
      if (response.writableLength > runtimeLimits.unreadEventBytes) response.destroy()
    },
    end() {
      response.end()
    },
  }
}

/** Rejects with the `RunFailure` that every run of an agent would end with. */
export async function requireReady(
  runtime: Runtime,
  agents: readonly Agent[],
  { memoryScope, prepare = true }: Pick<RunOptions, 'memoryScope'> & { readonly prepare?: boolean },
): Promise<void> {
  if (!prepare) return
  for (const agent of agents) {
    const error = await runtime.prepare(agent, { memoryScope, reach: false })
    if (error !== undefined) throw new RunFailure(error)
  }
}
