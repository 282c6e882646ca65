/** A resumable event stream: events have ids, and the most recent events are stored (MCP "resumability"). */

import type { HttpReply } from '../../model/http.ts'
import { arenaLimits } from '../../model/limits.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { Outgoing, Outlet } from './outgoing.ts'
import type { Session, Sessions } from './sessions.ts'

interface Connection {
  readonly reply: HttpReply
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  /** True if the stream starts with an event that has only an id, to allow resumption from the start. */
  readonly primed: boolean
}

interface StoredEvent {
  readonly number: number
  readonly message: Outgoing
  sent: boolean
}

export class Stream implements Outlet {
  /** True for a stream of unsolicited messages only. */
  readonly listening: boolean
  readonly #id: string
  readonly #sessions: Sessions
  readonly #events: StoredEvent[] = []
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
    const stored: StoredEvent = { number: ++this.#last, message, sent: false }
    this.#events.push(stored)
    if (this.#events.length > arenaLimits.mcpStreamMessages) this.#events.shift()
    if (this.#current !== undefined) this.#write(this.#current.reply, stored)
  }

  /** Continues on a new connection after the event with number `after`; resolves when that connection ends. */
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

  finish(): void {
    this.#finished = true
    void this.#current?.reply.end()
    this.#current?.leave()
  }

  moveTo(session: Session): void {
    this.#detach()
    this.#session = session
    if (this.connected) this.#detach = this.#sessions.attach(session, this)
  }

  #begin({ reply, headers, primed }: Connection, after: number): void {
    reply.head(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
    if (primed) void reply.write(writeEvent({ id: `${this.#id}-${after}`, retry: arenaLimits.mcpRetryMs, data: '' }))
    for (const stored of this.#events) if (stored.number > after || !stored.sent) this.#write(reply, stored)
    if (this.#finished) this.finish()
    else {
      this.#detach = this.#sessions.attach(this.#session, this)
      this.#sessions.deliver(this.#session)
    }
  }

  #write(reply: HttpReply, stored: StoredEvent): void {
    if (!stored.sent) stored.message.sent(this.#session.id)
    stored.sent = true
    // Not awaited: backpressure must not delay phases, and the number of requests bounds the volume.
    void reply.write(writeEvent({ event: 'message', id: `${this.#id}-${stored.number}`, data: stored.message.text }))
  }
}

export interface Streams {
  open(session: Session, listening: boolean): Stream
  /** Finds the stream and event number of an event id. */
  find(session: Session, eventId: string): { readonly stream: Stream; readonly after: number } | undefined
  listening(session: Session): Stream | undefined
  /** Ends the streams of a session, or all streams if no session is given. */
  end(session?: Session): void
}

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
