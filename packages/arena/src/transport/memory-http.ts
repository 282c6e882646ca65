import { createBoundedBytes } from '@joust/io'
import { messageOf } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import type { HttpAnswer, HttpCall, HttpHandler, HttpListen, HttpReply, HttpRequest, HttpSend } from '../model/http.ts'
import { byteChannel } from './channel.ts'
import { toBytes } from './streams.ts'

/** An isolated in-memory network. */
export interface MemoryHttp {
  readonly listen: HttpListen
  readonly send: HttpSend
  readonly origin: string
  /** True if a server listens at the origin of a URL. */
  has(url: string): boolean
}

interface Server {
  readonly handler: HttpHandler
  readonly open: Set<() => void>
}

const FIRST_PORT = 10_001

/** Creates a network. Each `listen` gets a separate loopback origin. */
export function createMemoryHttp(maxBodyBytes = Number.POSITIVE_INFINITY): MemoryHttp {
  const servers = new Map<string, Server>()
  let port = FIRST_PORT
  return {
    origin: originOf(FIRST_PORT),
    has: (url) => servers.has(new URL(url).origin),
    async listen(handler) {
      const origin = originOf(port++)
      const server: Server = { handler, open: new Set() }
      servers.set(origin, server)
      return {
        origin,
        async close() {
          servers.delete(origin)
          for (const end of [...server.open]) end()
        },
      }
    },
    async send(call) {
      if (call.signal.aborted) throw new ArenaError('stopped', `request to ${call.url} was aborted`)
      if (!URL.canParse(call.url)) throw new ArenaError('connect_failed', `not a URL: ${JSON.stringify(call.url)}`)
      const url = new URL(call.url)
      const server = servers.get(url.origin)
      if (server === undefined) throw new ArenaError('connect_failed', `nothing listens at ${url.host}`)
      return exchange(server, call, url, maxBodyBytes)
    },
  }
}

function originOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

function exchange(server: Server, call: HttpCall, url: URL, maxBodyBytes: number): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const gone = new AbortController()
    let over = false
    const body = byteChannel(() => leave())
    const finish = () => {
      over = true
      server.open.delete(lose)
      call.signal.removeEventListener('abort', stop)
    }
    const breakOff = (error: ArenaError, drop: boolean) => {
      if (over) return
      finish()
      if (drop) body.cancel(error)
      else body.end(error)
      reject(error)
      gone.abort()
    }
    const lose = (cause?: unknown) => {
      const reason = cause === undefined ? '' : `: ${messageOf(cause)}`
      breakOff(new ArenaError('connection_lost', `${url.host} closed the connection${reason}`, { cause }), false)
    }
    const stop = () => breakOff(new ArenaError('stopped', `request to ${url.host} was aborted`), true)
    const leave = () => breakOff(new ArenaError('stopped', `the response from ${url.host} was abandoned`), true)

    server.open.add(lose)
    call.signal.addEventListener('abort', stop)
    const reply = createReply({
      isOver: () => over,
      head: (status, headers) => resolve({ status, headers, body: body.items }),
      write: (chunk) => body.push(chunk),
      end() {
        finish()
        body.end()
      },
      destroy: () => lose(),
      bodiless: call.method === 'HEAD',
    })
    const request = readRequest(call, url, maxBodyBytes, gone.signal)
    // Asynchronous, as over a socket.
    Promise.resolve()
      .then(() => server.handler(request, reply))
      .catch(lose)
  })
}

function readRequest(call: HttpCall, url: URL, maxBodyBytes: number, signal: AbortSignal): HttpRequest {
  const sent = toBytes(call.body ?? '')
  const bytes = createBoundedBytes(maxBodyBytes)
  const fits = bytes.add(sent)
  return {
    method: call.method,
    target: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      ...(call.body === undefined ? {} : { 'content-length': String(sent.length) }),
      ...lowerCased(call.headers),
    },
    body: bytes.bytes(),
    ...(fits ? {} : { fault: `body is larger than ${maxBodyBytes} bytes` }),
    signal,
  }
}

interface ReplyEnd {
  isOver(): boolean
  head(status: number, headers: Readonly<Record<string, string>>): void
  write(chunk: Uint8Array): Promise<void>
  end(): void
  destroy(): void
  readonly bodiless: boolean
}

function createReply(to: ReplyEnd): HttpReply {
  let headed = false
  let bodiless = to.bodiless
  const head: HttpReply['head'] = (status, headers) => {
    if (to.isOver()) return
    if (headed) throw new Error('the response headers were sent twice')
    headed = true
    bodiless ||= status === 204 || status === 304
    to.head(status, lowerCased(headers))
  }
  const write = async (chunk: string | Uint8Array) => {
    if (to.isOver()) return
    if (!headed) head(200)
    const bytes = toBytes(chunk)
    if (bytes.length > 0 && !bodiless) await to.write(bytes)
  }
  return {
    head,
    write,
    async end(chunk = '') {
      if (to.isOver()) return
      // Not awaited: unread data must not keep the exchange open.
      void write(chunk)
      to.end()
    },
    destroy: to.destroy,
  }
}

function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

const bodiless: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** Creates a `fetch` over a transport. Redirects are not followed. */
export function fetchOver(send: HttpSend): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { method, url, signal } = request
    const content = request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) }
    const call = { method, url, headers: Object.fromEntries(request.headers), signal, ...content }
    const answer = await send(call).catch((thrown: unknown) => {
      throw signal.aborted ? signal.reason : thrown
    })
    const { status, headers } = answer
    return new Response(bodiless.has(status) ? null : streamOf(answer), { status, headers })
  }
}

function streamOf({ body }: HttpAnswer): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
