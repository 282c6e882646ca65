/** The client side of Streamable HTTP: a POST per message, answered by JSON or a stream, and a standing GET. */

import { within } from '@joust/io'
import { messageOf } from '@joust/source'
import { ArenaError, toArenaError } from '../../model/errors.ts'
import type { HttpAnswer, HttpSend } from '../../model/http.ts'
import { arenaLimits } from '../../model/limits.ts'
import { isEventStream } from '../../transport/event-stream.ts'
import type { DriverContext, Stage } from '../driver.ts'
import { readBody } from '../http-body.ts'
import { SESSION_HEADER as SESSION, VERSION_HEADER as VERSION } from '../mcp/protocol.ts'
import { reportRejection } from '../rejections.ts'
import { settled, withRetries } from '../retries.ts'
import { type WrittenHeaders, withWritten } from '../written-headers.ts'
import type { Inlet, Link, Outgoing } from './link.ts'
import { createStreams, type Streams } from './streams.ts'

const HEADER_VALUE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

type Headers = Readonly<Record<string, string>>
type Report = Stage['report']

export interface HttpLinkOptions extends Pick<DriverContext, 'clock' | 'limits'> {
  readonly url: string
  readonly headers?: Headers
  readonly httpSend: HttpSend
  readonly inlet: Inlet
  /** False to disable sessions, the standing stream, and resumption. */
  readonly sessions: boolean
  /** Called when the server has lost the session. */
  readonly onSessionLost: () => Promise<void>
  /** Called with delivery and stream errors. */
  readonly report: Report
}

const UNREADABLE = 'malformed response'

export class HttpLink implements Link {
  readonly #options: HttpLinkOptions
  readonly #streams: Streams
  readonly #over = new AbortController()
  readonly #headers: Headers
  #agreed: Readonly<Record<string, string>> = {}
  #standing: AbortController | undefined
  /** The lost session and the start of the next session. A session is renewed only once. */
  #renewal: { readonly lost: string; readonly done: Promise<void> } | undefined
  #closing: Promise<void> | undefined

  constructor(options: HttpLinkOptions) {
    const { clock, inlet, limits, sessions, headers = {} } = options
    this.#options = options
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    this.#streams = createStreams({
      clock,
      inlet,
      maxBytes: limits.messageBytes,
      retries: sessions ? limits.retries : 0,
      signal: this.#over.signal,
      get: (lastEventId, signal) =>
        this.#call('GET', { accept: 'text/event-stream', ...lastEvent(lastEventId) }, undefined, signal),
      onLost: (reason) => this.#report('stream-lost', reason),
    })
  }

  async open(): Promise<void> {}

  async send(message: Outgoing): Promise<void> {
    if (message.id !== undefined) return void this.#ask(message, message.id)
    const { surface } = message
    const answer = await this.#deliver(message).catch((thrown: unknown) => {
      if (isGoneForGood(thrown)) throw thrown
      this.#report('not-delivered', `${surface} could not be sent: ${messageOf(thrown)}`)
    })
    if (answer === undefined) return
    if (answer.status >= 300) this.#report('not-delivered', `${surface} was rejected: HTTP ${answer.status}`)
    void this.#consume(answer, message)
  }

  agreed(version: string | undefined): void {
    if (version !== undefined && HEADER_VALUE.test(version)) this.#agreed = { ...this.#agreed, [VERSION]: version }
  }

  listen(): void {
    const standing = new AbortController()
    this.#standing = standing
    void this.#streams.stand(standing.signal).then(() => {
      if (this.#standing === standing) this.#standing = undefined
    })
  }

  session(): string | undefined {
    return this.#agreed[SESSION]
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  readonly #report: Report = (...finding) => {
    if (!this.#over.signal.aborted) this.#options.report(...finding)
  }

  #call(method: string, headers: WrittenHeaders, body?: string, signal = this.#over.signal): Promise<HttpAnswer> {
    const { url, httpSend } = this.#options
    const all = withWritten({ ...this.#headers, ...this.#agreed }, headers)
    return httpSend({ method, url, headers: all, signal, ...(body === undefined ? {} : { body }) })
  }

  /** Retries only if the server cannot have handled the message. */
  async #post({ text, headers }: Outgoing): Promise<HttpAnswer> {
    const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }
    const { signal } = this.#over
    try {
      return await withRetries({ ...this.#options, report: this.#report }, signal, () => this.#call('POST', all, text))
    } catch (thrown) {
      const error = toArenaError('connection_lost', `no response from ${this.#options.url}`, thrown)
      if (error.code !== 'connect_failed' || signal.aborted) throw error
      throw new ArenaError('connection_lost', error.message, { cause: error })
    }
  }

  /** After a 404 for an unknown session, posts the message again in a new session. */
  async #deliver(message: Outgoing): Promise<HttpAnswer> {
    const session = this.session()
    const answer = await settled([message.held], this.#post(message))
    if (answer.status !== 404 || session === undefined || message.again === undefined) return answer
    if (this.#renewal !== undefined && this.#renewal.lost !== session) return answer
    const { text } = await readBody(answer.body, this.#options.limits.messageBytes)
    const reason = 'HTTP 404: session lost'
    if (text !== '') this.#options.inlet.setAside(message.surface, text, reason, message.id)
    this.#renewal ??= { lost: session, done: this.#renew() }
    await this.#renewal.done
    message.again()
    return this.#post(message)
  }

  async #renew(): Promise<void> {
    this.#report('session-lost', 'the server lost the session; a new one was started')
    this.#agreed = {}
    this.#standing?.abort()
    this.#standing = undefined
    await this.#options.onSessionLost()
  }

  async #ask(message: Outgoing, id: number): Promise<void> {
    const { inlet } = this.#options
    try {
      const answer = await this.#deliver(message)
      this.#noteSession(answer)
      await this.#consume(answer, message)
    } catch (thrown) {
      inlet.unanswered(id, isGoneForGood(thrown) ? thrown : messageOf(thrown))
    }
  }

  /** Stores the first session id; later ids are ignored. */
  #noteSession({ status, headers }: HttpAnswer): void {
    const session = headers[SESSION]
    const isNew = session !== undefined && this.session() === undefined && session !== this.#renewal?.lost
    if (this.#options.sessions && isNew && status < 300) this.#agreed = { ...this.#agreed, [SESSION]: session }
  }

  async #consume(answer: HttpAnswer, message: Outgoing): Promise<void> {
    const { status } = answer
    const { id } = message
    const reason = isEventStream(answer) ? await this.#follow(answer, message) : await this.#takeBody(answer, message)
    // A server may still respond to an accepted request on the standing stream.
    const isAccepted = reason !== UNREADABLE && status < 300 && this.#standing !== undefined
    if (id !== undefined && !isAccepted) this.#options.inlet.unanswered(id, `HTTP ${status}, ${reason}`)
  }

  async #follow(answer: HttpAnswer, message: Outgoing): Promise<string> {
    reportRejection(this.#report, message.surface, answer.status)
    await this.#streams.follow(answer, message.id)
    return 'the stream ended before the response'
  }

  async #takeBody({ body, status, headers }: HttpAnswer, message: Outgoing): Promise<string> {
    const { text, fault } = await readBody(body, this.#options.limits.messageBytes)
    reportRejection(this.#report, message.surface, status, text)
    if (text.trim() === '' && fault === undefined) return 'empty body'
    await this.#options.inlet.take(text, { asked: message.id, fault, headers })
    return UNREADABLE
  }

  async #end(): Promise<void> {
    const { clock, limits } = this.#options
    this.#over.abort('the connection is closed')
    if (this.session() === undefined) return
    const goodbye = new AbortController()
    // Best effort: the server may have stopped.
    const deleted = this.#call('DELETE', {}, undefined, goodbye.signal)
      .then(() => {})
      .catch(() => {})
    await within(clock, Math.min(arenaLimits.mcpGoodbyeMs, limits.replyMs), deleted, goodbye.signal, () => {})
    goodbye.abort('the connection is closed')
  }
}

function lastEvent(id: string | undefined): Headers {
  return id !== undefined && HEADER_VALUE.test(id) ? { 'last-event-id': id } : {}
}

/** True for a refused connection; other errors may concern only one connection. */
function isGoneForGood(thrown: unknown): thrown is ArenaError {
  return thrown instanceof ArenaError && thrown.cause instanceof ArenaError && thrown.cause.code === 'connect_failed'
}
