/** A message of ours on its way, and where it can go. */

/** A message of ours. */
export interface Outgoing {
  readonly text: string
  /** What it is, for diagnostics. */
  readonly what: string
  /** Called once, when it goes on the wire, with the session that gets it. */
  readonly sent: (session: string | undefined) => void
  /** Called after that when the peer turns out to have left before it could have read it. */
  readonly lost?: () => void
}

/** Something that carries messages to the peer, in order. */
export interface Outlet {
  /** Whether it is there for nothing but messages that answer nothing. */
  readonly listening: boolean
  /** Puts a message on the wire, or keeps it for a peer that may come back for it. */
  put(message: Outgoing): void
}

/**
 * One text of the peer, as its transport sees it: a message or a batch, to be answered. What is sent is on the wire in this
 * order when the call returns; whether and when the peer reads it must not hold up the phases.
 */
export interface Exchange {
  readonly session: string | undefined
  /** Sends a message ahead of the answer, on the same stream. False when the peer cannot take it. */
  push(message: Outgoing): boolean
  /** Sends an answer. After one that succeeded the peer may be told things. */
  answer(message: Outgoing, succeeded: boolean): void
  /** Says that the text has no answer. */
  accept(): void
  /** Says that the text could not be read. */
  refuse(message: Outgoing): void
  /** Keeps the stream for messages to come, instead of an answer. */
  keep(): void
}

/** The session of a message in the trace, where there is one. */
export function inSession(session: string | undefined): { readonly session?: string } {
  return session === undefined ? {} : { session }
}
