/** Streamable HTTP from the client's side: a POST for each message, answered by JSON or a stream, and a standing GET. */
import { type Clock, within } from '../../clock.ts'
import type { DriverLimits } from '../../driver.ts'
import { ArenaError, messageOf, toArenaError } from '../../errors.ts'
import type { HttpAnswer, HttpSend } from '../../transport/http.ts'
import { readBody } from './body.ts'
import type { Inlet, Link, Outgoing } from './link.ts'
import { createStreams, isEventStream, pause, type Streams } from './streams.ts'

/** How long the first wait before another attempt to connect is; each further one is twice as long. */
const RECONNECT_MS = 200
/** How long the server may take to hear that a session is over. */
const GOODBYE_MS = 2000
/** What can be the value of a header. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

type Headers = Readonly<Record<string, string>>

/** What the link works with. */
export interface HttpLinkOptions {
  readonly url: string
  readonly headers?: Headers
  readonly httpSend: HttpSend
  readonly clock: Clock
  readonly limits: DriverLimits
  readonly inlet: Inlet
  /** Without sessions there is no standing stream either, and none is begun again. */
  readonly sessions: boolean
  /** Hears of what was not taken, or ended before it should. */
  readonly report: (code: 'not-delivered' | 'connection-lost', message: string) => void
}

/** A link over HTTP. */
export class HttpLink implements Link {
  readonly #options: HttpLinkOptions
  readonly #streams: Streams
  readonly #over = new AbortController()
  readonly #given: Headers
  /** What the handshake has brought. */
  readonly #agreed: Record<string, string> = {}
  #standing = false
  #closing: Promise<void> | undefined

  constructor(options: HttpLinkOptions) {
    const { clock, inlet, limits, sessions, headers = {} } = options
    this.#options = options
    this.#given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    this.#streams = createStreams({
      clock,
      inlet,
      maxBytes: limits.messageBytes,
      retries: sessions ? limits.retries : 0,
      signal: this.#over.signal,
      get: (lastEventId) => this.#call('GET', { accept: 'text/event-stream', ...lastEvent(lastEventId) }),
    })
  }

  async open(): Promise<void> {}

  async send(message: Outgoing): Promise<void> {
    if (message.id !== undefined) return void this.#ask(message, message.id)
    const answer = await this.#post(message).catch((thrown: unknown) => {
      if (isGoneForGood(thrown)) throw thrown
      this.#report('not-delivered', `${message.surface} was not taken: ${messageOf(thrown)}`)
    })
    if (answer === undefined) return
    if (answer.status >= 300) this.#report('not-delivered', `${message.surface} was refused: HTTP ${answer.status}`)
    void this.#consume(answer)
  }

  agreed(version: string | undefined): void {
    if (version !== undefined && HEADER_VALUE.test(version)) this.#agreed['mcp-protocol-version'] = version
  }

  listen(): void {
    this.#standing = true
    void this.#streams.stand().then((reason) => {
      this.#standing = false
      if (reason !== undefined)
        this.#report('connection-lost', `the stream of server messages ended for good: ${reason}`)
    })
  }

  session(): string | undefined {
    return this.#agreed['mcp-session-id']
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  #report(code: 'not-delivered' | 'connection-lost', message: string): void {
    if (!this.#over.signal.aborted) this.#options.report(code, message)
  }

  #call(method: string, headers: Headers, body?: string, signal = this.#over.signal): Promise<HttpAnswer> {
    const { url, httpSend } = this.#options
    const all = { ...this.#given, ...this.#agreed, ...headers }
    return httpSend({ method, url, headers: all, signal, ...(body === undefined ? {} : { body }) })
  }

  /** Tries again only where nothing can have reached the server. */
  async #post({ text, headers }: Outgoing): Promise<HttpAnswer> {
    const { url, clock, limits } = this.#options
    const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#call('POST', all, text)
      } catch (thrown) {
        const error = toArenaError('connection_lost', `no answer from ${url}`, thrown)
        if (error.code !== 'connect_failed' || this.#over.signal.aborted) throw error
        if (attempt >= limits.retries) throw new ArenaError('connection_lost', error.message, { cause: error })
        await pause(clock, RECONNECT_MS * 2 ** attempt, this.#over.signal)
      }
    }
  }

  async #ask(message: Outgoing, id: number): Promise<void> {
    const { inlet, sessions } = this.#options
    try {
      const answer = await this.#post(message)
      const session = answer.headers['mcp-session-id']
      // The first one stays: a server that gives out another in mid-session has not been asked to.
      if (sessions && session !== undefined && answer.status < 300) this.#agreed['mcp-session-id'] ??= session
      await this.#consume(answer, id)
    } catch (thrown) {
      inlet.unanswered(id, isGoneForGood(thrown) ? thrown : messageOf(thrown))
    }
  }

  async #consume(answer: HttpAnswer, id?: number): Promise<void> {
    const { inlet } = this.#options
    const { status } = answer
    const left = isEventStream(answer) ? await this.#follow(answer, id) : await this.#takeBody(answer, id)
    // What a server has accepted it may still answer on the standing stream.
    if (id === undefined || (left !== 'an answer that cannot be read' && status < 300 && this.#standing)) return
    inlet.unanswered(id, `HTTP ${status}, ${left}`)
  }

  async #follow(answer: HttpAnswer, id?: number): Promise<string> {
    await this.#streams.follow(answer, id)
    return 'a stream that ended before the answer'
  }

  async #takeBody({ body }: HttpAnswer, id?: number): Promise<string> {
    const { text, fault } = await readBody(body, this.#options.limits.messageBytes)
    if (text.trim() === '' && fault === undefined) return 'nothing in it'
    const origin = { ...(id === undefined ? {} : { asked: id }), ...(fault === undefined ? {} : { fault }) }
    await this.#options.inlet.take(text, origin)
    return 'an answer that cannot be read'
  }

  async #end(): Promise<void> {
    const { clock, limits } = this.#options
    this.#over.abort()
    if (this.session() === undefined) return
    const goodbye = new AbortController()
    const told = this.#call('DELETE', {}, undefined, goodbye.signal).then(
      () => {},
      // A server that cannot be told is gone, or has no use for it.
      () => {},
    )
    await within(clock, Math.min(GOODBYE_MS, limits.replyMs), told, goodbye.signal, () => {})
    goodbye.abort()
  }
}

function lastEvent(id: string | undefined): Headers {
  return id !== undefined && HEADER_VALUE.test(id) ? { 'last-event-id': id } : {}
}

/** No connection at all, again and again; else the server may only have dropped this one. */
function isGoneForGood(thrown: unknown): thrown is ArenaError {
  return thrown instanceof ArenaError && thrown.cause instanceof ArenaError && thrown.cause.code === 'connect_failed'
}
