/** Model proxy: an HTTP server on loopback between agents and their models, with a path prefix for each run. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bracketed, type Clock, checkAccess, isLoopback, systemClock } from '@joust/io'
import { defined, messageOf } from '@joust/source'
import { beginCapture, type Capture } from './http/capture.ts'
import { keptPath, pairsOf } from './http/headers.ts'
import { answerFrom, type Responder, sendReply } from './http/respond.ts'
import { createUpstreamPool, type Upstream, type UpstreamPool } from './http/upstream.ts'
import type { Exchange, ModelCall } from './model/call.ts'
import { diagnose, type ModelDiagnosticCode } from './model/diagnostics.ts'
import { ModelsError } from './model/errors.ts'
import { modelLimits } from './model/limits.ts'
import { createLog, type ExchangeLog } from './run-log.ts'
import { wireOf } from './wire/table.ts'
import { writeError } from './wire/write-answer.ts'

/** Options for {@link startModelProxy}. */
export interface ModelProxyOptions {
  /**
   * The loopback address to listen on.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string
  /** @default a free port */
  readonly port?: number
  /** @default the system clock */
  readonly clock?: Clock
}

/** The source of responses in a run: the base URL of a provider, or a function. */
export type AnswerSource = { readonly upstream: string } | { readonly answer: Responder }

/** Options for a proxy run; see {@link startModelProxy}. */
export type RunOptions = AnswerSource & {
  /**
   * Receives all requests without another run's prefix. If several open runs set this, the latest receives them.
   * @default only requests with the prefix of the run
   */
  readonly atRoot?: true
  /**
   * Rewrites the path of each request before it is handled or forwarded.
   *
   * @default unchanged
   */
  readonly rewrite?: (path: string) => string
  /** Called when an exchange ends, for recordings. @default none */
  readonly onExchange?: (exchange: Exchange) => void
  /** Called when a call ends, for budgets. @default none */
  readonly onCall?: (call: ModelCall) => void
}

/** A run with its own URL. */
export interface ModelRun {
  /** The base URL for the agent. */
  readonly url: string
  /** Returns the finished calls, in start order. */
  calls(): readonly ModelCall[]
  /** Returns the number of calls beyond the limit, which were forwarded and not recorded. */
  dropped(): number
  /** Returns the number of calls in progress. */
  active(): number
  /**
   * Ends active calls and rejects later ones; resolves once `calls` returns all of them. Rejects with the first error
   * of a listener, such as a recording that cannot be written.
   */
  close(): Promise<void>
}

/** A running model proxy. */
export interface ModelProxy {
  readonly url: string
  /** Opens a run. Throws a `ModelsError` for an invalid upstream URL. */
  open(run: RunOptions): ModelRun
  /** Returns rejected requests that belong to no open run. */
  unattributed(): readonly ModelCall[]
  close(): Promise<void>
}

/**
 * Starts a proxy. Rejects with a `ModelsError` if it cannot listen.
 *
 * @example
 * const proxy = await startModelProxy()
 * const { url } = proxy.open({ upstream: 'https://api.openai.com' })
 */
export async function startModelProxy(options: ModelProxyOptions = {}): Promise<ModelProxy> {
  const { host = '127.0.0.1', port = 0, clock = systemClock } = options
  if (!isLoopback(host))
    throw new ModelsError('listen_failed', `the model proxy listens on loopback only, not on ${host}`)
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: modelLimits.headerBytes })
  server.maxConnections = modelLimits.connections
  // The limit on header bytes suffices; Node would silently drop headers after the first 2,000.
  server.maxHeadersCount = 0
  const router = new Router(clock, host)
  // Without an upgrade listener, Node treats upgrades as requests: HTTP/2 upgrades may be ignored (RFC 9110 §7.8).
  server.on('request', (request, response) => {
    if (!/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) return router.receive(request, response)
    router.refuseUpgrade(request)
    response.writeHead(426, { connection: 'close', 'content-length': '0' }).end()
  })
  await listen(server, host, port)
  // A server that listens on a port has an address of this type.
  const url = `http://${bracketed(host)}:${(server.address() as AddressInfo).port}`
  return {
    url,
    open: (run) => router.open(run, url),
    unattributed: () => router.unattributed.calls(),
    async close() {
      await router.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // After the start, errors are connections that could not be accepted; the agent notices them itself.
    server.on('error', (cause: NodeJS.ErrnoException) => {
      const code = cause.code === 'EADDRINUSE' ? 'port_in_use' : 'listen_failed'
      const reason = code === 'port_in_use' ? 'the port is in use' : messageOf(cause)
      reject(new ModelsError(code, `the model proxy cannot listen on ${host}:${port}: ${reason}`, { cause }))
    })
    server.listen({ port, host, backlog: modelLimits.connections }, resolve)
  })
}

interface Route {
  readonly log: ExchangeLog
  /** Calls in progress, which are ended when the run closes. */
  readonly open: Set<ServerResponse>
  readonly answer: Upstream
  readonly rewrite: (path: string) => string
}

/** Prefix of a run that receives requests without a prefix. */
const ROOT = ''

/** Matches the run prefix and the rest of the path. */
const PATH = /^\/([0-9a-f]{16})(\/.*)?$/

class Router {
  readonly unattributed: ExchangeLog
  readonly #routes = new Map<string, Route>()
  readonly #pool: UpstreamPool = createUpstreamPool()
  readonly #clock: Clock
  readonly #host: string

  constructor(clock: Clock, host: string) {
    this.#clock = clock
    this.#host = host
    this.unattributed = createLog({ calls: modelLimits.unattributedCalls, bytes: modelLimits.requestBytes })
  }

  open(run: RunOptions, url: string): ModelRun {
    const prefix = run.atRoot === true ? ROOT : randomBytes(8).toString('hex')
    const log = createLog({ calls: modelLimits.runCalls, bytes: modelLimits.runBytes }, run)
    const open = new Set<ServerResponse>()
    const answer: Upstream =
      'upstream' in run ? this.#pool.upstream(run.upstream) : (...passage) => answerFrom(run.answer, ...passage)
    const route = { log, open, answer, rewrite: run.rewrite ?? ((path: string) => path) }
    this.#routes.set(prefix, route)
    return {
      url: prefix === ROOT ? url : `${url}/${prefix}`,
      calls: log.calls,
      dropped: log.dropped,
      active: () => open.size,
      close: async () => {
        if (this.#routes.get(prefix) === route) this.#routes.delete(prefix)
        await endAll(open)
        const [failure] = log.failures()
        if (failure !== undefined) throw failure
      },
    }
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    const { route, path } = this.#routeOf(request)
    const capture = this.#begin(request, path, route?.log)
    const access = checkAccess(request.headers, this.#host)
    if (!access.ok) refuse(capture, request, response, 403, 'access-refused', access.error.message)
    else if (route === undefined) {
      const message = `no open run of this model proxy has the path ${JSON.stringify(keptPath(path))}`
      refuse(capture, request, response, 404, 'run-unknown', message)
    } else {
      route.open.add(response)
      response.once('close', () => route.open.delete(response))
      route.answer(capture, request, response)
    }
  }

  refuseUpgrade(request: IncomingMessage): void {
    const { route, path } = this.#routeOf(request)
    const capture = this.#begin(request, path, route?.log)
    capture.note(diagnose('upgrade-refused', `WebSocket upgrade of ${keptPath(path)} rejected; only HTTP is supported`))
    capture.finish('unanswered')
  }

  async close(): Promise<void> {
    const open = [...this.#routes.values()].map((route) => endAll(route.open))
    this.#routes.clear()
    await Promise.all(open)
    this.#pool.close()
  }

  #routeOf({ url = '' }: IncomingMessage): { readonly route?: Route; readonly path: string } {
    const [, prefix = ROOT, rest = ''] = PATH.exec(url) ?? []
    const named = this.#routes.get(prefix)
    const route = named ?? this.#routes.get(ROOT)
    const path = named !== undefined && prefix !== ROOT ? rest : url
    return { ...defined({ route }), path: route?.rewrite(path) ?? path }
  }

  #begin(request: IncomingMessage, path: string, log = this.unattributed): Capture {
    const { method = '', rawHeaders } = request
    const arriving = { method, headers: pairsOf(rawHeaders), isComplete: () => request.readableEnded }
    return beginCapture(arriving, path, { clock: this.#clock, ...log.place() })
  }
}

function refuse(
  capture: Capture,
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  code: ModelDiagnosticCode,
  message: string,
): void {
  request.resume()
  sendReply(
    capture,
    response,
    writeError(wireOf(capture.path), { status, message }, { headers: [], diagnostics: [diagnose(code, message)] }),
  )
}

/** Ends responses in progress and waits until all of them are recorded. */
async function endAll(open: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = [...open].map((response) => new Promise<void>((resolve) => void response.once('close', resolve)))
  for (const response of open) response.destroy()
  await Promise.all(closed)
}
