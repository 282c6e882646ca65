/** The connection to an MCP server: Streamable HTTP or a pipe. */

import type { Held } from '@joust/results'
import { messageOf } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { Pipe, PipeOpen } from '../../model/wiring.ts'
import type { WrittenHeaders } from '../written-headers.ts'

/** An outgoing message. */
export interface Outgoing {
  readonly text: string
  /** The name of the message in diagnostics. */
  readonly surface: string
  /** Settled once it is known whether the message arrived. */
  readonly held: Held
  /** The id of a request, which awaits an answer. */
  readonly id?: number
  /** Additional headers, for HTTP; null removes one. */
  readonly headers?: WrittenHeaders
  /** Called when the message is sent again in a new session. Without it, the message is not sent again. */
  readonly again?: () => void
}

/** A connection to a server. */
export interface Link {
  /** Connects, if that is a separate step. Rejects with an `ArenaError`. */
  open(): Promise<void>
  /**
   * Sends a message; resolves once sent. Rejects with an `ArenaError` when the peer is gone for good; for a request, the
   * inlet is notified instead.
   */
  send(message: Outgoing): Promise<void>
  /** Completes the handshake; the version is sent with every message. */
  agreed(version: string | undefined): void
  /** Opens the stream of server messages, for HTTP. */
  listen(): void
  /** The session id of the server. */
  session(): string | undefined
  /** Closes the connection. Never rejects. Idempotent. */
  close(): Promise<void>
}

/** The origin of a text. */
export interface Origin {
  /** The request whose response or stream contained the text. */
  readonly asked?: number | undefined
  /** An error of the transport. */
  readonly fault?: string | undefined
  /** The headers of the answer, for HTTP. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The receiver of incoming messages. */
export interface Inlet {
  /** Receives one text; resolves when there is room for the next. Never rejects. */
  take(text: string, origin: Origin): Promise<void>
  /** Records an answer that only causes the message to be sent again. */
  setAside(surface: string, text: string, reason: string, requestId: number | undefined): void
  /** True while a request has no answer. */
  awaits(id: number): boolean
  /** Marks a request as unanswered; an error means that the connection is lost. */
  unanswered(id: number, reason: string | ArenaError): void
  /** Called when the peer has disconnected for good. */
  lost(error: ArenaError): void
}

/** Creates a link over a pipe; `report` is called when the peer closes it. */
export function createPipeLink(openPipe: PipeOpen, inlet: Inlet, report: (message: string) => void): Link {
  let pipe: Pipe | undefined
  let gone: ArenaError | undefined
  let closed = false

  const read = async (from: Pipe): Promise<void> => {
    let reason: string | undefined
    try {
      for await (const { text, fault } of from.lines) {
        if (text.trim() !== '' || fault !== undefined) await inlet.take(text, { fault })
      }
    } catch (thrown) {
      reason = messageOf(thrown)
    }
    reason = from.ending() ?? reason ?? 'its output ended'
    gone = new ArenaError('connection_lost', `the server disconnected: ${reason}`)
    if (!closed) report(gone.message)
    inlet.lost(gone)
  }

  return {
    async open() {
      pipe = await openPipe()
      if (closed) return pipe.close()
      void read(pipe)
    },
    async send({ text, id, held }) {
      if (gone === undefined) {
        held.arrived()
        return pipe?.send(text)
      }
      held.lost()
      if (id === undefined) throw gone
      inlet.unanswered(id, gone)
    },
    agreed() {},
    listen() {},
    session: () => undefined,
    async close() {
      closed = true
      await pipe?.close()
    },
  }
}
