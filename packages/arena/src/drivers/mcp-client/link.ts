/** What carries messages to an MCP server and back: Streamable HTTP or lines. */
import type { ArenaError } from '../../model/errors.ts'
import type { Held } from '../../model/trace-entry.ts'

/** A message on its way out. */
export interface Outgoing {
  readonly text: string
  /** What it is, for messages to people. */
  readonly surface: string
  /** Settled by the link when it is known whether it arrived. */
  readonly held: Held
  /** The id of a request: an answer is awaited. */
  readonly id?: number
  /** Headers of this message alone, where the link has headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Called when it is sent again, in another session. Without this it means nothing there. */
  readonly again?: () => void
}

/** One way to a server. */
export interface Link {
  /** Connects, where that is something of its own. Rejects with an `ArenaError`. */
  open(): Promise<void>
  /**
   * Sends a message; resolves once it is out. Rejects with an `ArenaError` when the peer is gone for good; for a request
   * the inlet is told instead.
   */
  send(message: Outgoing): Promise<void>
  /** The handshake is done: the version goes with every message. */
  agreed(version: string | undefined): void
  /** Hears what the server sends by itself, where that does not come anyway. */
  listen(): void
  /** The session that the server gave out. */
  session(): string | undefined
  /** Ends everything. Never rejects. Can be called again. */
  close(): Promise<void>
}

/** Where a text came from. */
export interface Origin {
  /** The request whose answer it should be, or should come with. */
  readonly asked?: number
  /** Why the transport knows it to be broken. */
  readonly fault?: string
}

/** Where a link puts what comes. */
export interface Inlet {
  /** Takes one text; resolves when there is room for the next. Never rejects. */
  take(text: string, origin: Origin): Promise<void>
  /** Keeps an answer that says only that the message has to be sent again. */
  setAside(surface: string, text: string, reason: string, asked: number | undefined): void
  /** Whether a request still has no answer. */
  awaits(id: number): boolean
  /** No answer to a request can come any more, or with an error: nothing at all. */
  unanswered(id: number, reason: string | ArenaError): void
  /** The peer is gone for good. */
  lost(error: ArenaError): void
}
