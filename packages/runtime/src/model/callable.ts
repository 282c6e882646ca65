/** Tools, agents and skills that a model can call. */
import type { Approval } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { Observation, RemoteThread } from './connection.ts'
import type { ApprovalKind, CallableKind } from './events.ts'

/** Approval settings of a call. A delegation to a local agent requests its own approval. */
export interface CallApproval {
  readonly kind: ApprovalKind
  /** The approval in the document, if any; governance may require another. */
  readonly approval?: Approval | undefined
  /**
   * The value in which condition keys are looked up: the arguments of the call, or the input of the calling agent
   * (decision 0019, A-09).
   */
  readonly over: 'args' | 'input'
}

/** A tool, agent or skill that a model can call. Call it through `dispatch`, never directly. */
export interface Callable {
  /** The name that the model sees. */
  readonly name: string
  /** Other names that the lists of governance policies may use. */
  readonly names: readonly string[]
  readonly kind: CallableKind
  readonly description?: string | undefined
  readonly inputSchema: ValueRecord
  readonly approval: CallApproval
  /** True if a call may be repeated when its outcome is unknown. */
  readonly repeatable?: boolean
  /** The conversation that a call continues and updates; calls in the same conversation run one after the other. */
  readonly thread?: RemoteThread
  /**
   * Makes the call; `dispatch` turns a rejection into an observation. `call` is the model's id of the call.
   */
  invoke(args: Value, signal: AbortSignal, call: string): Promise<Observation>
}

/** The callables of one agent during one execution. */
export interface CallableSet {
  /** Instructions of servers for the model, by alias. Call `list` first, which detects restarted servers. */
  instructions(): readonly { readonly alias: string; readonly text: string }[]
  /** The current callables. Call this before each step: a server may have changed its list. */
  list(signal: AbortSignal): Promise<readonly Callable[]>
}
