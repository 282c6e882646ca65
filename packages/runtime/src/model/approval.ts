import type { Value } from '@joust/source'
import type { ApprovalKind } from './events.ts'

/**
 * A request to approve one call. The call is made with exactly these arguments.
 *
 * @example
 * const runtime = createRuntime({ approve: ({ message }) => ({ approved: message.includes('look up'), reason: 'only lookups' }) })
 */
export interface ApprovalRequest {
  readonly kind: ApprovalKind
  readonly run: string
  readonly agent: { readonly id: string; readonly name: string; readonly path: readonly string[] }
  readonly target: string
  /** The raw arguments of the call. `message` may contain text written by a model. */
  readonly args: Value
  readonly message: string
  /** Reasons of the rules that require approval. */
  readonly reasons: readonly string[]
}

/** The decision of an approver. */
export interface ApprovalAnswer {
  readonly approved: boolean
  readonly reason?: string
}

/** Asks a person or an automatic check to decide. A rejected promise counts as a denial. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer> | ApprovalAnswer
