/** What a model can call. */
import type { Approval } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { Observation, RemoteThread } from './connection.ts'
import type { ApprovalKind, CallableKind } from './events.ts'

/** How a call is approved. A delegation to a local agent asks by itself. */
export interface CallApproval {
  readonly kind: ApprovalKind
  /** What the document says; absent: nothing, but governance may. */
  readonly approval?: Approval | undefined
  /** What the keys of its condition name: arguments of the call, or the input of the calling agent. */
  readonly over: 'args' | 'input'
}

/** Something that a model can call. Call it through `dispatch`, never directly. */
export interface Callable {
  /** What the model sees. */
  readonly name: string
  /** The other names it is known by, for the lists of governance policies. */
  readonly names: readonly string[]
  readonly kind: CallableKind
  readonly description?: string | undefined
  readonly inputSchema: ValueRecord
  readonly approval: CallApproval
  /** Whether a call may be repeated when its outcome is not known. */
  readonly repeatable?: boolean
  /** The conversation that a call continues, and updates: its calls are made one after the other. */
  readonly thread?: RemoteThread
  /** May reject with anything; `dispatch` turns that into an observation. `call` is the model's id of the call. */
  invoke(args: Value, signal: AbortSignal, call: string): Promise<Observation>
}

/** What one agent can call during one execution. */
export interface CallableSet {
  /** Texts that servers want the model to read, under their aliases. A list before shows who has begun anew. */
  instructions(): readonly { readonly alias: string; readonly text: string }[]
  /** The callables as they are now. Ask before each step: a server may have changed its list. */
  list(signal: AbortSignal): Promise<readonly Callable[]>
}
