/** Tools, agents and skills that models can call. */
import type { Approval } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { Observation, RemoteThread } from './connection.ts'
import type { ApprovalKind, CallableKind } from './events.ts'

/** Approval settings of a call. Delegations to local agents request approval themselves. */
export interface CallApproval {
  readonly kind: ApprovalKind
  /** Approval settings in the document; governance may require more. */
  readonly approval?: Approval | undefined
  /**
   * The value in which condition keys are looked up: the call's arguments, or the calling agent's input (decision 0019,
   *
   */
  readonly over: 'args' | 'input'
}

/** A tool, agent or skill that a model can call. Must be called through `dispatch`. */
export interface Callable {
  /** The name shown to the model. */
  readonly name: string
  /** Other names that governance policies may use for the callable. */
  readonly names: readonly string[]
  readonly kind: CallableKind
  readonly description?: string | undefined
  readonly inputSchema: ValueRecord
  readonly approval: CallApproval
  /** True if a call with an unknown outcome may be repeated. */
  readonly repeatable?: boolean
  /** The conversation of a call. Calls in the same conversation run one at a time. */
  readonly thread?: RemoteThread
  /** Makes the call. `dispatch` converts rejections to observations. `call` is the model's call id. */
  invoke(args: Value, signal: AbortSignal, call: string): Promise<Observation>
}

/** The callables of one agent execution. */
export interface CallableSet {
  /** Returns the server instructions for the model. Valid after `list`, which detects restarted servers. */
  instructions(): readonly { readonly alias: string; readonly text: string }[]
  /** Returns the current callables. Must be called before each step, because servers may change their lists. */
  list(signal: AbortSignal): Promise<readonly Callable[]>
}
