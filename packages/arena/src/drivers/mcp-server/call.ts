/** A request of the peer while it is being answered. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { Scene, Stage } from '../driver.ts'
import { jsonRpcCodes } from '../json-rpc.ts'

/** What answers a request. `open` is not an answer: the stream stays for messages to come. */
export type Outcome = { readonly result: Value } | { readonly error: Value } | 'open'

/** A message that goes out before the answer. */
export interface Interlude {
  readonly method: string
  /** Made when it is sent, so that it sees what earlier replies have brought. Undefined: nothing to send after all. */
  readonly params: () => Value | undefined
}

/** A request of the peer. */
export interface Call {
  readonly id: Value
  readonly method: string
  readonly params: Value
  readonly scene: Scene
  /** The state of the phase; empty when it is not a mapping. */
  readonly state: ValueRecord
  readonly stage: Stage
  readonly newId: () => string
  /** See `DriverContext`. */
  readonly mcpVersion?: string
  /** Fills the templates of a value for this request; `response` is the answer that it is in, as written (§5.6). */
  readonly fill: (value: Value, response?: Value) => Value
  /** Sends messages before the answer and waits for their replies; what comes back, if anything, is the answer for now. */
  readonly interlude: (interludes: readonly Interlude[]) => Promise<Outcome | undefined>
}

/** Answers one method. */
export type Method = (call: Call) => Outcome | Promise<Outcome>

/** An answer whose templates see the request and the answer itself. */
export function filledResult({ fill }: Call, written: Value): Outcome {
  return { result: fill(written, written) }
}

/** An answer that says what went wrong. */
export function failure(code: number, message: string): Outcome {
  return { error: { code, message } }
}

/** The answer to a method that the server does not have. */
export function unknownMethod({ method }: Call): Outcome {
  return failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
}

/** A member of the params, whatever they are. */
export function param({ params }: Call, key: string): Value | undefined {
  return isRecord(params) ? own(params, key) : undefined
}
