/** The HTTP server for all protocols: loopback by default, access control, limits and a clean shutdown. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '@joust/agentformat'
import { type AccessOptions, bracketed, checkAccess, checkToken, endsWithin, listedOrigin, onAbort } from '@joust/io'
import { messageOf } from '@joust/source'
import { RunFailure } from '../model/errors.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { Runtime } from '../runtime.ts'

/**
 * Options for serving an agent.
 *
 * @example
 * const served = await serveAgUi(createRuntime(), loadedAgent.agent, { port: 8000, token: password, stream: false })
 */
export interface ServeOptions extends AccessOptions {
  /** @default '127.0.0.1' */
  readonly host?: string
  /** 0 selects a free port. @default 0 */
  readonly port?: number
  /** Bearer token that clients must send in the `Authorization` header. @default no token required */
  readonly token?: string
  /** Maximum size of a request body in bytes. @default 4_194_304 */
  readonly maxBodyBytes?: number
  /** Memory scope of all runs. If not set, the agent has no memory between requests. @default none */
  readonly memoryScope?: string | undefined
  /** False to request complete answers, for models that cannot stream. @default true */
  readonly stream?: boolean
  /** The receiver of approval requests: the runtime's approver (`host`) or the client. @default 'host' */
  readonly approvals?: 'host' | 'client'
  /** Timeout of an approval request to the client in milliseconds; the request is then denied. @default 300_000 */
  readonly approvalMs?: number
  /** Checks the agent's bindings before serving. Connections are opened by the first run. @default true */
  readonly prepare?: boolean
}

/** A running server. */
export interface Served {
  readonly url: string
  /** Cancels runs, ends open responses and releases the port. May be called repeatedly. */
  close(): Promise<void>
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal
}

/** The request handler of one protocol. */
export interface Handler {
  handle(exchange: Exchange): Promise<void>
  close(): Promise<void> | void
}

/** Starts a server. Rejects with a `RunFailure` if the address is invalid or unavailable. */
export async function serveHttp(
  handle: (exchange: Exchange) => Promise<void>,
  options: ServeOptions,
  onClose: () => Promise<void> | void = () => {},
): Promise<Served> {
  const host = options.host || '127.0.0.1'
  const stopping = new AbortController()
  const open = new Set<Promise<void>>()
  const health = healthOf(stopping.signal)
  const server = createServer({ requestTimeout: runtimeLimits.receiveMs }, (request, response) => {
    if (health(request, response)) return
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

/**
 * Answers `/healthz` and `/readyz` for supervisors, which send no token. `readyz` is 503 once the server is stopping.
 * The response reveals nothing about the agent.
 */
function healthOf(stopping: AbortSignal) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url } = request
    if ((method !== 'GET' && method !== 'HEAD') || (url !== '/healthz' && url !== '/readyz')) return false
    const isReady = url === '/healthz' || !stopping.aborted
    sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ok' : 'stopping' })
    return true
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.end()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Sends a JSON-RPC error with a null id. */
export function sendRpcError(response: ServerResponse, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } })
}

export const PARSE_ERROR = -32_700

export function refuseMethod(response: ServerResponse, allowed: string): void {
  response.setHeader('allow', allowed)
  sendJson(response, 405, { error: `method not allowed, expected ${allowed}` })
}

interface Guard {
  readonly host: string
  readonly options: ServeOptions
  readonly stopping: AbortSignal
}

/** Handles a request. Resolves once the response has been sent. Never rejects. */
async function answer(
  handle: (exchange: Exchange) => Promise<void>,
  request: IncomingMessage,
  response: ServerResponse,
  { host, options, stopping }: Guard,
): Promise<void> {
  const ended = new AbortController()
  const removeListener = onAbort(stopping, () => ended.abort(stopping.reason))
  const done = new Promise<void>((resolve) => {
    response.on('finish', resolve)
    response.on('close', () => {
      if (!response.writableFinished) ended.abort(new Error('the client disconnected'))
      resolve()
    })
  })
  // Disconnects are handled by `close`.
  response.on('error', () => {})
  try {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (admit(request, response, host, options)) await handle({ request, response, path, signal: ended.signal })
  } catch (thrown) {
    sendJson(response, 500, { error: `internal error: ${messageOf(thrown)}` })
  }
  await done
  removeListener()
}

/** Checks access. Returns false if the response has already been sent. */
function admit(request: IncomingMessage, response: ServerResponse, host: string, options: ServeOptions): boolean {
  const access = checkAccess(request.headers, host, options)
  if (!access.ok) {
    sendJson(response, 403, { error: access.error.message })
    return false
  }
  const origin = listedOrigin(request.headers.origin, options)
  // Browsers send no token with preflight requests.
  const isPreflight = origin !== undefined && request.method === 'OPTIONS'
  const admitted = checkToken(request.headers, isPreflight ? undefined : options.token)
  if (!admitted.ok) {
    response.setHeader('www-authenticate', 'Bearer')
    sendJson(response, 401, { error: admitted.error })
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

/** Request headers that pages of other origins may send: those used by clients of the three protocols. */
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
    const message = `port must be an integer from 0 to ${LAST_PORT}, not ${port}`
    throw new RunFailure({ code: 'config_invalid', message, agent: [] })
  }
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      const message = `cannot listen on ${bracketed(host)}:${port}: ${error.message}`
      reject(new RunFailure({ code: 'listen_failed', message, agent: [], cause: { message: error.message } }))
    }
    server.once('error', fail)
    server.listen(port, host, runtimeLimits.waitingConnections, () => {
      server.off('error', fail)
      // The address of a server on a port always has this type.
      resolve(server.address() as AddressInfo)
    })
  })
}

interface EventStream {
  send(data: unknown): void
  end(): void
}

/** Starts an event stream. Clients that read too slowly are disconnected. */
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

/** Rejects with the `RunFailure` that every run of an agent would cause. */
export async function requireReady(
  runtime: Runtime,
  agents: readonly Agent[],
  { memoryScope, prepare = true, approvals }: Pick<ServeOptions, 'memoryScope' | 'prepare' | 'approvals'>,
): Promise<void> {
  // Never called: only its existence is checked.
  const approve = approvals === 'client' ? { approve: () => ({ approved: false }) } : {}
  if (!prepare) return
  for (const agent of agents) {
    const prepared = await runtime.prepare(agent, { memoryScope, reach: false, ...approve })
    if (!prepared.ok) throw new RunFailure(prepared.error)
  }
}
