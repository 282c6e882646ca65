/** The connection to an MCP server: Streamable HTTP or a pipe. */

import type { Held } from '@joust/results'
import { messageOf } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { Pipe, PipeOpen } from '../../model/wiring.ts'
import type { WrittenHeaders } from '../written-headers.ts'

export interface Outgoing {
  readonly text: string
  /** The message name in diagnostics. */
  readonly surface: string
  /** Settled once it is known whether the message arrived. */
  readonly held: Held
  /** The id of a request; undefined for other messages. */
  readonly id?: number
  /** Additional HTTP headers; null removes one. */
  readonly headers?: WrittenHeaders
  /** Called if the message is resent in a new session. Without it, the message is not resent. */
  readonly again?: () => void
}

export interface Link {
  /** Connects, if the transport needs it. Rejects with an `ArenaError`. */
  open(): Promise<void>
  /**
   * Resolves once sent. Rejects with an `ArenaError` if the peer is permanently lost; for a request, the inlet is
   * notified instead.
   */
  send(message: Outgoing): Promise<void>
  /** Completes the handshake; the version is sent with every message. */
  agreed(version: string | undefined): void
  /** Opens the stream of server messages over HTTP. */
  listen(): void
  session(): string | undefined
  /** Closes the connection. Never rejects. Idempotent. */
  close(): Promise<void>
}

/** Where a text came from. */
export interface Origin {
  /** The request whose response or stream contained the text. */
  readonly asked?: number | undefined
  /** A transport error. */
  readonly fault?: string | undefined
  /** The response headers, for HTTP. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Receives incoming messages. */
export interface Inlet {
  /** Receives one text; resolves when the next one can be received. Never rejects. */
  take(text: string, origin: Origin): Promise<void>
  /** Records a response whose only effect is that the message is sent again. */
  setAside(surface: string, text: string, reason: string, requestId: number | undefined): void
  /** True while a request has no response. */
  awaits(id: number): boolean
  /** Ends the wait for a response; an error means that the connection is lost. */
  unanswered(id: number, reason: string | ArenaError): void
  /** Called when the peer is permanently lost. */
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
