/** A server-sent stream that a client can return to: events have ids, the last ones are kept (MCP "resumability"). */
import type { HttpReply } from '../../model/http.ts'
import { arenaLimits } from '../../model/limits.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { Outgoing, Outlet } from './outgoing.ts'
import type { Session, Sessions } from './sessions.ts'

/** One end of an HTTP exchange that carries a stream. */
interface Connection {
  readonly reply: HttpReply
  /** Fires when the peer is gone. */
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  /** Whether the stream begins with an event that has only an id, so that it can be resumed from its very beginning. */
  readonly primed: boolean
}

interface Kept {
  readonly number: number
  readonly message: Outgoing
  sent: boolean
}

/** A stream, with or without a peer at its other end. */
export class Stream implements Outlet {
  /** Whether the stream is only there for messages that answer nothing. */
  readonly listening: boolean
  readonly #id: string
  readonly #sessions: Sessions
  readonly #kept: Kept[] = []
  #session: Session
  #last = 0
  #finished = false
  #current: { readonly reply: HttpReply; leave(): void } | undefined
  #detach = () => {}

  constructor(id: string, sessions: Sessions, session: Session, listening: boolean) {
    this.#id = id
    this.#sessions = sessions
    this.#session = session
    this.listening = listening
  }

  get session(): Session {
    return this.#session
  }

  get connected(): boolean {
    return this.#current !== undefined
  }

  put(message: Outgoing): void {
    const one: Kept = { number: ++this.#last, message, sent: false }
    this.#kept.push(one)
    if (this.#kept.length > arenaLimits.mcpStreamMessages) this.#kept.shift()
    if (this.#current !== undefined) this.#write(this.#current.reply, one)
  }

  /** Continues on a new connection, after an event; resolves when that connection is over. */
  connect(connection: Connection, after: number): Promise<void> {
    this.#current?.leave()
    return new Promise((resolve) => {
      const { reply, signal } = connection
      if (signal.aborted) return resolve()
      const leave = () => {
        signal.removeEventListener('abort', leave)
        if (this.#current === mine) {
          this.#current = undefined
          this.#detach()
        }
        resolve()
      }
      const mine = { reply, leave }
      this.#current = mine
      signal.addEventListener('abort', leave)
      this.#begin(connection, after)
    })
  }

  /** Nothing more will come. */
  finish(): void {
    this.#finished = true
    void this.#current?.reply.end()
    this.#current?.leave()
  }

  /** Belongs to another session from now on. */
  moveTo(session: Session): void {
    this.#detach()
    this.#session = session
    if (this.connected) this.#detach = this.#sessions.attach(session, this)
  }

  #begin({ reply, headers, primed }: Connection, after: number): void {
    reply.head(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
    if (primed) void reply.write(writeEvent({ id: `${this.#id}-${after}`, retry: arenaLimits.mcpRetryMs, data: '' }))
    for (const one of this.#kept) if (one.number > after || !one.sent) this.#write(reply, one)
    if (this.#finished) {
      this.finish()
      return
    }
    this.#detach = this.#sessions.attach(this.#session, this)
    this.#sessions.deliver(this.#session)
  }

  #write(reply: HttpReply, one: Kept): void {
    if (!one.sent) one.message.sent(this.#session.id)
    one.sent = true
    // Backpressure must not hold up the phases, and what is sent is bounded by what came in.
    void reply.write(writeEvent({ event: 'message', id: `${this.#id}-${one.number}`, data: one.message.text }))
  }
}

/** All streams of an actor. */
export interface Streams {
  open(session: Session, listening: boolean): Stream
  /** The stream of a session that an event is from, and the number of that event. */
  find(session: Session, eventId: string): { readonly stream: Stream; readonly after: number } | undefined
  /** An open listening stream of a session. */
  listening(session: Session): Stream | undefined
  /** Ends the streams of a session, or all of them. */
  end(session?: Session): void
}

/** The streams of one actor. */
export function createStreams(sessions: Sessions): Streams {
  const streams = new Map<string, Stream>()
  let last = 0
  const makeRoom = () => {
    for (const [id, stream] of streams) {
      if (streams.size < arenaLimits.mcpStreams) return
      if (!stream.connected) streams.delete(id)
    }
  }
  return {
    open(session, listening) {
      makeRoom()
      const id = String(++last)
      const stream = new Stream(id, sessions, session, listening)
      streams.set(id, stream)
      return stream
    },
    find(session, eventId) {
      const [id = '', number = ''] = eventId.split('-')
      const stream = streams.get(id)
      if (stream?.session !== session || !/^\d{1,15}$/.test(number)) return undefined
      return { stream, after: Number(number) }
    },
    listening: (session) =>
      [...streams.values()].find((stream) => stream.listening && stream.session === session && stream.connected),
    end(session) {
      const ending = [...streams].filter(([, stream]) => session === undefined || stream.session === session)
      for (const [id, stream] of ending) {
        streams.delete(id)
        stream.finish()
      }
    },
  }
}
