/** Human in the loop: what an approver is asked, and what it answers. */
import type { Value } from '@joust/source'
import type { ApprovalKind } from './events.ts'

/** One question for one invocation. What is approved is exactly what is executed. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind
  readonly run: string
  /** Who wants to act. */
  readonly agent: { readonly id: string; readonly name: string; readonly path: readonly string[] }
  /** The name of the tool, agent or skill. */
  readonly target: string
  /** The raw arguments. A message contains text that a model may have chosen; this is what will be executed. */
  readonly args: Value
  readonly message: string
  /** Which rules ask. */
  readonly reasons: readonly string[]
}

/** What an approver says. */
export interface ApprovalAnswer {
  readonly approved: boolean
  readonly reason?: string
}

/** Asks a human, or whatever decides for one. A rejection counts as a denial. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer> | ApprovalAnswer
