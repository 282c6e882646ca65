/** Human in the loop: approval requests and answers. */
import type { Value } from '@joust/source'
import type { ApprovalKind } from './events.ts'

/**
 * The approval request for one invocation. Exactly the approved arguments are executed.
 *
 * @example
 * const runtime = createRuntime({ approve: ({ message }) => ({ approved: message.includes('look up'), reason: 'only lookups' }) })
 */
export interface ApprovalRequest {
  readonly kind: ApprovalKind
  readonly run: string
  /** The agent that makes the call. */
  readonly agent: { readonly id: string; readonly name: string; readonly path: readonly string[] }
  /** The name of the tool, agent or skill. */
  readonly target: string
  /** The raw arguments, exactly as they will be executed. `message` may contain text from a model. */
  readonly args: Value
  readonly message: string
  /** The rules that require the approval. */
  readonly reasons: readonly string[]
}

/** The decision of an approver. */
export interface ApprovalAnswer {
  readonly approved: boolean
  readonly reason?: string
}

/** Asks a human or an automatic check for a decision. A rejected promise counts as a denial. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer> | ApprovalAnswer
