/** The entries of a trace. */
import type { Direction } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { ModelEntry } from './model-entry.ts'

/** An incoming or outgoing message, as on the wire. */
export interface TraceEntry {
  /** The number of the entry in its run, from 1. */
  readonly seq: number
  /** The time, as ISO 8601. */
  readonly at: string
  /** Milliseconds since the start of the run. */
  readonly elapsed_ms: number
  readonly actor: string
  readonly mode: string
  readonly protocol: string
  readonly phase: string
  /** The protocol session, if any. */
  readonly session?: string | undefined
  readonly direction: Direction
  /** `in`: received from the agent. `out`: sent by the actor. */
  readonly flow: 'in' | 'out'
  /** The operation; empty if unknown. */
  readonly surface: string
  /**
   * The content root of the binding ([OATF §7](https://oatf.io/specification/protocol-bindings/)): params, result or
   * error, event, input, card. The raw text if `malformed`.
   */
  readonly content: Value
  /** For a response to a client: the params of its request. Not on the wire; see `contentRoot`. */
  readonly request?: Value | undefined
  /** For an answer from an MCP server: the name of the called tool or prompt, or the URI of the resource. Not on the wire. */
  readonly about?: string | undefined
  /** At the end of an AG-UI tool call: its complete arguments. Not on the wire; see `contentRoot`. */
  readonly arguments?: string | undefined
  /**
   * The HTTP headers of the message, by lower-case name, if the document reads `x-joust-headers`. Not part of the
   * content; see `contentRoot`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The reason, for a message that could not be parsed. */
  readonly malformed?: string | undefined
  /** True if secrets were redacted. */
  readonly redacted?: true
  /** True for an entry that is derived from earlier messages and was not sent itself. */
  readonly derived?: true
}

/** A sent message whose delivery is not confirmed yet. */
export interface Held {
  arrived(): void
  /** Called when the message was not delivered: it is not part of the trace. */
  lost(): void
}

/** The destination of trace entries. */
export interface TraceSink {
  write(entry: TraceEntry): void
  /** Receives the calls to the agent's model, after all messages. Absent for a sink of messages only. */
  writeModel?(entry: ModelEntry): void
  /** The first write error, if any. */
  fault(): Error | undefined
}
