/** A message as indicators see it. */
import type { Value } from '@joust/source'
import type { Direction } from './enumerations.ts'

/**
 * A message between an agent and an actor of an attack. An entry of a trace is one.
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
  /** The protocol session. The pieces of an A2A artifact are joined within one. */
  readonly session?: string | undefined
  /** The content root of the binding ([OATF §7](https://oatf.io/specification/protocol-bindings/)): params, result or error, event, input, card. */
  readonly content: Value
  /** For a response: the params of its request, which targets read as `_request`. */
  readonly request?: Value | undefined
  /** For `tool_call_end`: the complete arguments, which targets read as `_arguments`. */
  readonly arguments?: string | undefined
  /** The HTTP headers by lower-case name, which targets read as `x-joust-headers`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The reason, for a message that could not be parsed. */
  readonly malformed?: string | undefined
}
