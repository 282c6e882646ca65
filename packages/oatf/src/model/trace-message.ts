import type { Value } from '@joust/source'
import type { Direction } from './enumerations.ts'

/**
 * A message between an agent and an actor of an attack, as in a trace.
 *
 * @example
 * const content = { name: 'lookup', arguments: { word: 'joust' } }
 * const verdict = await evaluateAttack(attack, [{ protocol: 'mcp', surface: 'tools/call', direction: 'request', content }])
 */
export interface TraceMessage {
  readonly protocol: string
  /** The operation, for example `tools/call`. */
  readonly surface: string
  readonly direction: Direction
  /** The name of the actor that sent or received the message. */
  readonly actor?: string | undefined
  /** The protocol session. Chunks of an A2A artifact are joined within a session. */
  readonly session?: string | undefined
  /**
   * The content root of the binding ([OATF §7](https://oatf.io/specification/protocol-bindings/)): params, result or
   * error, event, input, card.
   */
  readonly content: Value
  /** For a response: the request params, available to targets as `_request`. */
  readonly request?: Value | undefined
  /** For `tool_call_end`: the complete arguments, available to targets as `_arguments`. */
  readonly arguments?: string | undefined
  /** The HTTP headers by lower-case name, available to targets as `x-joust-headers`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The parse error of a malformed message. */
  readonly malformed?: string | undefined
}
