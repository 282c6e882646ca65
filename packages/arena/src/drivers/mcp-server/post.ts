/** The response to a POST: one JSON text if nothing precedes it, a stream otherwise. */
import { deferred } from '@joust/io'
import type { HttpReply, HttpRequest } from '../../model/http.ts'
import { isAnswered, type JsonRpcBatch, type JsonRpcMessage, messagesOf } from '../json-rpc.ts'
import type { Exchange, Outgoing } from './outgoing.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Stream, Streams } from './stream.ts'
import type { Subscription } from './subscriptions.ts'

interface PostOptions {
  readonly request: HttpRequest
  readonly reply: HttpReply
  readonly incoming: JsonRpcMessage | JsonRpcBatch
  readonly session: Session
  readonly headers: Readonly<Record<string, string>>
  readonly primed: boolean
  readonly sessions: Sessions
  readonly streams: Streams
}

export class PostExchange implements Exchange {
  readonly session: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly #options: PostOptions
  readonly #accepts: { readonly json: boolean; readonly stream: boolean }
  readonly #collected: Outgoing[] = []
  #missing: number
  #accepted = false
  #stream: Stream | undefined
  readonly #over = deferred()

  constructor(options: PostOptions) {
    this.session = options.session.id
    this.headers = options.request.headers
    this.#options = options
    this.#accepts = acceptsOf(options.request)
    this.#missing = messagesOf(options.incoming).filter(isAnswered).length
  }

  get over(): Promise<void> {
    return this.#over.promise
  }

  push(message: Outgoing): boolean {
    const outlet = this.#accepts.stream ? this.#openStream() : this.#options.session.outlets.at(-1)
    outlet?.put(message)
    return outlet !== undefined
  }

  answer(message: Outgoing, succeeded: boolean): void {
    const { session, sessions } = this.#options
    this.#missing--
    // Queued messages can be sent before a response once the handshake is done.
    const waits = session.ready && session.waiting.length > 0 && session.outlets.length === 0
    if (this.#accepts.stream && (waits || !this.#accepts.json)) this.#openStream()
    if (this.#stream === undefined) this.#collected.push(message)
    else this.#stream.put(message)
    session.ready ||= succeeded
    if (this.#missing > 0) return
    if (this.#stream === undefined) this.#write(this.#text(), this.#status(), this.#collected)
    else this.#stream.finish()
    sessions.deliver(session)
  }

  accept(): void {
    if (this.#missing > 0 || this.#accepted || this.#collected.length > 0 || this.#stream !== undefined) return
    this.#accepted = true
    this.#write('', 202, [])
  }

  refuse(message: Outgoing): void {
    if (this.#options.incoming.kind === 'batch') this.answer(message, false)
    else this.#write(message.text, 400, [message])
  }

  /** A listener without a session id gets a new session. */
  keep(subscription: Subscription): void {
    const { sessions } = this.#options
    const listener = sessions.begin(undefined)
    listener.ready = true
    listener.subscription = subscription
    this.#openStream().moveTo(listener)
    sessions.deliver(listener)
    void this.#over.promise.then(() => sessions.end(listener))
  }

  #openStream(): Stream {
    if (this.#stream !== undefined) return this.#stream
    const { streams, session, reply, request, headers, primed } = this.#options
    const stream = streams.open(session, false)
    this.#stream = stream
    void stream.connect({ reply, signal: request.signal, headers, primed }, 0).then(this.#over.resolve)
    for (const message of this.#collected.splice(0)) stream.put(message)
    return stream
  }

  #status(): number {
    return (this.#options.incoming.kind === 'batch' ? undefined : this.#collected[0]?.status) ?? 200
  }

  #text(): string {
    const texts = this.#collected.map(({ text }) => text)
    return this.#options.incoming.kind === 'batch' ? `[${texts.join(',')}]` : texts.join('')
  }

  #write(text: string, status: number, messages: readonly Outgoing[]): void {
    const { request, reply, headers } = this.#options
    const isGone = request.signal.aborted
    if (!isGone) for (const { sent } of messages) sent(this.session)
    reply.head(status, { ...(text === '' ? {} : { 'content-type': 'application/json' }), ...headers })
    const over = () => {
      if (!isGone && request.signal.aborted) for (const { lost } of messages) lost?.()
      this.#over.resolve()
    }
    reply.end(text).then(over, over)
  }
}

/** Accepts anything if the `Accept` header is missing. */
function acceptsOf({ headers }: HttpRequest): { readonly json: boolean; readonly stream: boolean } {
  const accept = headers.accept ?? '*/*'
  const any = accept.includes('*/*')
  return { json: any || accept.includes('application/'), stream: any || accept.includes('text/event-stream') }
}
