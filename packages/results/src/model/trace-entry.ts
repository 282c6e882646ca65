/** Trace entries. */
import type { Direction } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { ModelEntry } from './model-entry.ts'

/** An incoming or outgoing message, as on the wire. */
export interface TraceEntry {
  /** Number of the entry in its run, from 1. */
  readonly seq: number
  /** Time in ISO 8601. */
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
  /** The operation of the message. Empty if the operation is unknown. */
  readonly surface: string
  /**
   * Content root defined by the binding ([OATF §7](https://oatf.io/specification/protocol-bindings/)): params, result
   * or error, event, input, card. The raw text if `malformed`.
   */
  readonly content: Value
  /** In a response to a client, the params of the client's request. Not part of the message; see `contentRoot`. */
  readonly request?: Value | undefined
  /**
   * In a response from an MCP server, the name of the called tool or prompt, or the URI of the resource. Not part of
   * the message.
   */
  readonly about?: string | undefined
  /** At the end of an AG-UI tool call, its complete arguments. Not part of the message; see `contentRoot`. */
  readonly arguments?: string | undefined
  /**
   * HTTP headers by lower-case name, if the document reads `x-joust-headers`. Not part of the content; see
   * `contentRoot`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Parse error of a malformed message. */
  readonly malformed?: string | undefined
  readonly redacted?: true
  /** True for an entry derived from earlier messages, which was not sent itself. */
  readonly derived?: true
}

/** A sent message whose delivery is not confirmed. */
export interface Held {
  arrived(): void
  /** Keeps the undelivered message out of the trace. */
  lost(): void
}

export interface TraceSink {
  write(entry: TraceEntry): void
  /** Receives the calls to the agent's model, after all messages. Absent for a sink that accepts only messages. */
  writeModel?(entry: ModelEntry): void
  /** Returns the first write error, if any. */
  fault(): Error | undefined
}
