/** What carries messages to an MCP server and back: Streamable HTTP or lines. */
import { messageOf } from '@joust/source'
import { ArenaError } from '../../model/errors.ts'
import type { Held } from '../../model/trace-entry.ts'
import type { Pipe, PipeOpen } from '../../model/wiring.ts'

/** A message on its way out. */
export interface Outgoing {
  readonly text: string
  /** What it is, for messages to people. */
  readonly surface: string
  /** Settled by the link when it knows whether the message arrived. */
  readonly held: Held
  /** The id of a request: an answer is awaited. */
  readonly id?: number
  /** Headers of this message alone, where the link has headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Called when it is sent again, in another session. Without this, it is not sent again. */
  readonly again?: () => void
}

/** One way to a server. */
export interface Link {
  /** Connects, where that is a separate step. Rejects with an `ArenaError`. */
  open(): Promise<void>
  /**
   * Sends a message; resolves once it has been sent. Rejects with an `ArenaError` when the peer is gone for good; for a
   * request the inlet is told instead.
   */
  send(message: Outgoing): Promise<void>
  /** The handshake is done: the version goes with every message. */
  agreed(version: string | undefined): void
  /** Listens for what the server sends on its own, where that does not arrive anyway. */
  listen(): void
  /** The session that the server gave out. */
  session(): string | undefined
  /** Ends everything. Never rejects. Can be called again. */
  close(): Promise<void>
}

/** Where a text came from. */
export interface Origin {
  /** The request whose answer it should be, or should come with. */
  readonly asked?: number | undefined
  /** Why the transport knows it to be broken. */
  readonly fault?: string | undefined
}

/** Where a link puts what comes. */
export interface Inlet {
  /** Takes one text; resolves when there is room for the next. Never rejects. */
  take(text: string, origin: Origin): Promise<void>
  /** Keeps an answer that says only that the message has to be sent again. */
  setAside(surface: string, text: string, reason: string, asked: number | undefined): void
  /** Whether a request still has no answer. */
  awaits(id: number): boolean
  /** No answer to a request can come any more; an error says that nothing at all can. */
  unanswered(id: number, reason: string | ArenaError): void
  /** The peer is gone for good. */
  lost(error: ArenaError): void
}

/** A link over lines; `report` is told of a peer that leaves on its own. */
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
    gone = new ArenaError('connection_lost', `the server is gone: ${reason}`)
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
