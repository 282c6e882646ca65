/** What a trace is made of. */
import type { Direction } from '@joust/oatf'
import type { Value } from '@joust/source'

/** One message, in or out, as it was on the wire. */
export interface TraceEntry {
  /** Counts from 1 within a run. */
  readonly seq: number
  /** The time, as ISO 8601. */
  readonly at: string
  /** Milliseconds since the run began. */
  readonly elapsed_ms: number
  readonly actor: string
  readonly mode: string
  readonly protocol: string
  readonly phase: string
  /** The protocol session, where there is one. */
  readonly session?: string | undefined
  readonly direction: Direction
  /** `in` came from the agent, `out` was sent by the actor. */
  readonly flow: 'in' | 'out'
  /** The operation; empty when it could not be determined. */
  readonly surface: string
  /** The root that the binding defines: params, result or error, event, input, card. The raw text when `malformed`. */
  readonly content: Value
  /** In a response to a client: the params it answers. Not on the wire; see `contentRoot`. */
  readonly request?: Value | undefined
  /** At the end of a tool call of AG-UI: its arguments, put together. Not on the wire; see `contentRoot`. */
  readonly arguments?: string | undefined
  /** Why the message could not be read. */
  readonly malformed?: string | undefined
  /** Something in the content was hidden before it was written. */
  readonly redacted?: true
  /** Not a message by itself: derived from one or several messages before it. */
  readonly derived?: true
}

/** A message that may not arrive. */
export interface Held {
  arrived(): void
  /** It never arrived, so it is not part of the trace. */
  lost(): void
}
