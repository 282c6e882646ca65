/** The connection to an MCP server: Streamable HTTP or a pipe. */

import type { Held } from '@joust/results'
import { messageOf } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { Pipe, PipeOpen } from '../../model/wiring.ts'
import type { WrittenHeaders } from '../written-headers.ts'

export interface Outgoing {
  readonly text: string
  /** The name of the message in diagnostics. */
  readonly surface: string
  /** Settled once it is known whether the message arrived. */
  readonly held: Held
  /** The id of a request; undefined for other messages. */
  readonly id?: number
  /** Additional HTTP headers; null removes a header. */
  readonly headers?: WrittenHeaders
  /** Called if the message is resent in a new session. If not set, the message is not resent. */
  readonly again?: () => void
}

export interface Link {
  /** Rejects with an `ArenaError`. */
  open(): Promise<void>
  /** Resolves once sent. If the peer is permanently lost, notifies the inlet for a request, otherwise rejects. */
  send(message: Outgoing): Promise<void>
  /** Completes the handshake; `version` is sent with every message. */
  agreed(version: string | undefined): void
  /** Opens the stream of server messages, if the transport has one. */
  listen(): void
  session(): string | undefined
  /** Never rejects. Idempotent. */
  close(): Promise<void>
}

export interface Origin {
  /** The request whose response or stream contained the message. */
  readonly asked?: number | undefined
  readonly fault?: string | undefined
  /** Set for HTTP only. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Inlet {
  /** Resolves when the next message can be received. Never rejects. */
  take(text: string, origin: Origin): Promise<void>
  /** Records a response whose only effect is that the message is sent again. */
  setAside(surface: string, text: string, reason: string, requestId: number | undefined): void
  awaits(id: number): boolean
  /** Ends the wait for a response; an error means that the connection is lost. */
  unanswered(id: number, reason: string | ArenaError): void
  /** Called when the peer is permanently lost. */
  lost(error: ArenaError): void
}

/** `report` is called when the peer closes the pipe. */
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
