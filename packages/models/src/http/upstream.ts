/** Forwards requests to the provider and responses to the agent; bytes, status, headers and chunks are unchanged. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { messageOf } from '@joust/source'
import type { ExchangeEnd, HeaderList } from '../model/call.ts'
import { diagnose } from '../model/diagnostics.ts'
import { ModelsError } from '../model/errors.ts'
import { modelLimits } from '../model/limits.ts'
import { canDecode } from './body.ts'
import type { Capture } from './capture.ts'
import { forwarded, pairsOf } from './headers.ts'

/** Forwards a request to one provider and records the exchange. */
export type Upstream = (capture: Capture, request: IncomingMessage, response: ServerResponse) => void

/** Provider-specific deviations from the default. */
interface UpstreamOptions {
  /**
   * Returns the headers to send.
   *
   * @default the headers of the request, with the provider's host and without zstd
   */
  readonly headers?: (pairs: HeaderList) => HeaderList
  /**
   * Breaks the connection to the agent if the provider is unreachable, instead of responding with status 502.
   *
   * @default false
   */
  readonly breaks?: boolean
}

/** Connections to providers, shared by the runs of a proxy. */
export interface UpstreamPool {
  /** Throws a `ModelsError` for an invalid URL. */
  upstream(address: string, options?: UpstreamOptions): Upstream
  close(): void
}

export function createUpstreamPool(): UpstreamPool {
  const options = { keepAlive: true, timeout: modelLimits.idleSocketMs }
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }
  return {
    upstream(address, { headers, breaks = false } = {}) {
      const { protocol, hostname, host, port, pathname } = upstreamUrl(address)
      const [open, agent] = protocol === 'http:' ? [httpRequest, agents['http:']] : [httpsRequest, agents['https:']]
      const base = pathname.replace(/\/+$/, '')
      return (capture, request, response) =>
        new Passage(
          capture,
          request,
          response,
          (isFresh) =>
            open({
              ...{ hostname: hostname.replace(/^\[|\]$/g, ''), port, method: request.method },
              ...{ path: `${base}${capture.path}` || '/', setHost: false },
              headers: requestHeaders(request, headers ?? ((pairs) => forProvider(pairs, host))),
              ...{ maxHeaderSize: modelLimits.headerBytes, agent: isFresh ? false : agent },
            }),
          breaks,
        ).start()
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

function upstreamUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`) return url
  const message = `the upstream ${JSON.stringify(address)} must be an http or https URL without credentials or a query`
  throw new ModelsError('upstream_invalid', message)
}

/** Diagnostic for an exchange that was ended by the agent or by the end of the run. */
export const LEFT = 'the connection to the agent was closed before the answer was complete'

const NOTHING = Buffer.alloc(0)

const BODILESS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']

function forProvider(pairs: HeaderList, host: string): HeaderList {
  return pairs.map(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'accept-encoding') return [name, canDecode('zstd') ? value : withoutZstd(value)]
    return [name, lower === 'host' ? host : value]
  })
}

function requestHeaders(request: IncomingMessage, adapted: (pairs: HeaderList) => HeaderList): string[] {
  const { method = '', headers } = request
  const pairs = [...adapted(forwarded(request))]
  if (headers['transfer-encoding'] !== undefined) pairs.push(['Transfer-Encoding', 'chunked'])
  // Node would send an empty body as chunked.
  else if (headers['content-length'] === undefined && !BODILESS.includes(method)) pairs.push(['Content-Length', '0'])
  return pairs.flat()
}

/** Removes zstd from the accepted encodings: Node 20 cannot decode it, so such calls could not be observed. */
function withoutZstd(accepted: string): string {
  const others = accepted.split(',').filter((coding) => !/^\s*zstd\s*(?:;|$)/i.test(coding))
  return others.length === 0 ? 'identity' : others.join(',').trim()
}

/** One request to the provider, and its response. */
class Passage {
  readonly #capture: Capture
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #open: (isFresh: boolean) => ClientRequest
  readonly #breaks: boolean
  #isConnected = false
  #isOver = false

  constructor(
    capture: Capture,
    request: IncomingMessage,
    response: ServerResponse,
    open: (isFresh: boolean) => ClientRequest,
    breaks: boolean,
  ) {
    this.#breaks = breaks
    this.#capture = capture
    this.#request = request
    this.#response = response
    this.#open = open
  }

  start(isFresh = false): void {
    const up = this.#open(isFresh)
    up.maxHeadersCount = 0
    let state: 'waiting' | 'sent' | 'stale' = 'waiting'
    const send = () => {
      if (state !== 'waiting' || this.#isOver) return
      state = 'sent'
      this.#send(up)
    }
    // If a reused connection fails without a response, the provider had already closed it. Requests are retried once.
    const isStale = () =>
      up.reusedSocket && !this.#isOver && !this.#response.headersSent && (state === 'waiting' || this.#isKept())
    up.once('socket', (socket) => {
      this.#isConnected = up.reusedSocket
      if (!up.reusedSocket)
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
          this.#isConnected = true
        })
      // The provider may have closed a reused connection; one turn of the event loop shows it before anything is sent.
      if (up.reusedSocket) setImmediate(send)
      else send()
    })
    up.on('response', (answer) => this.#answer(answer))
    up.on('error', (error) => {
      if (isStale()) {
        state = 'stale'
        this.start(true)
      } else this.#fail(error)
    })
    this.#response.once('close', () => {
      if (state === 'stale' || this.#isOver) return
      this.#capture.note(diagnose('client-left', LEFT))
      this.#finish('left')
      up.destroy()
    })
  }

  /** True once the entire request has been read, so that it can be sent again. */
  #isKept(): boolean {
    return this.#request.readableEnded && this.#capture.bytes() !== undefined && this.#request.rawTrailers.length === 0
  }

  #send(up: ClientRequest): void {
    const request = this.#request
    if (request.readableEnded) {
      const bytes = this.#capture.bytes()
      if (bytes === undefined || bytes.length === 0) up.end()
      else up.end(bytes)
      return
    }
    request.on('data', (chunk: Buffer) => this.#capture.sent(chunk))
    request.once('end', () => {
      if (request.rawTrailers.length > 0) up.addTrailers(trailersOf(request))
    })
    request.pipe(up)
  }

  #answer(answer: IncomingMessage): void {
    const response = this.#response
    const headers = forwarded(answer)
    this.#capture.answered(answer.statusCode ?? 0, headers)
    // Only the provider's Date header is forwarded.
    response.sendDate = false
    try {
      response.writeHead(answer.statusCode ?? 0, answer.statusMessage, headers.flat())
    } catch (thrown) {
      // Node parses some status lines that it cannot write.
      this.#fail(new Error(`cannot forward the status line: ${messageOf(thrown)}`))
      answer.destroy()
      return
    }
    // Sends the headers. `flushHeaders` would encode them as UTF-8, although Node reads them as Latin-1.
    response.write(NOTHING)
    answer.on('data', (chunk: Buffer) => {
      this.#capture.received(chunk)
      if (!response.write(chunk)) answer.pause()
    })
    response.on('drain', () => answer.resume())
    answer.once('end', () => {
      if (answer.rawTrailers.length > 0) response.addTrailers(trailersOf(answer))
      // Complete the response before the copy is parsed.
      response.end()
      this.#finish('whole')
    })
    answer.once('error', (error) => this.#fail(error))
  }

  /** Reports an unreachable provider, or ends the agent's connection like the provider's: by reset or close. */
  #fail(error: Error): void {
    if (this.#isOver) return
    const isAnswered = this.#response.headersSent
    if (!isAnswered && !this.#isConnected && !this.#breaks) {
      this.#refuse(`cannot connect to the provider: ${messageOf(error)}`)
      return
    }
    const stage = isAnswered ? 'before its response was complete' : 'without a response'
    this.#capture.note(diagnose('upstream-lost', `the provider closed the connection ${stage}: ${messageOf(error)}`))
    this.#finish(isAnswered ? 'broken' : 'unanswered')
    // Resets are reported by a system call, early ends by Node itself.
    breakOff(this.#response, 'syscall' in error)
  }

  #refuse(message: string): void {
    this.#capture.note(diagnose('upstream-unreachable', message))
    this.#finish('unanswered')
    this.#response.writeHead(502, { 'content-type': 'application/json' })
    this.#response.end(JSON.stringify({ error: { message: `model proxy: ${message}`, type: 'upstream_unreachable' } }))
  }

  #finish(end: ExchangeEnd): void {
    this.#isOver = true
    this.#capture.finish(end)
  }
}

/** Closes a connection in the middle of a response, once all pending bytes have been written. */
export function breakOff({ socket }: ServerResponse, withReset: boolean): void {
  socket?.write('', () => void (withReset ? socket.resetAndDestroy() : socket.destroy()))
}

function trailersOf({ rawTrailers }: IncomingMessage): [string, string][] {
  return pairsOf(rawTrailers).map(([name, value]) => [name, value])
}
