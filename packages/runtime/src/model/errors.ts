/** Run errors: their codes, the plain error returned to hosts, and the exception used internally. */
import type { AgentCode } from '@joust/agentformat'
import type { Value } from '@joust/source'

type FormatCode = Extract<
  AgentCode,
  // Preparation: missing bindings.
  | 'unsupported_policy'
  | 'unbound_tool'
  | 'unmapped_server'
  | 'unknown_transform'
  | 'policy_unresolved'
  | 'memory_required'
  // Execution.
  | 'input_validation'
  | 'output_validation'
  | 'type_mismatch'
  | 'missing_value'
  | 'null_for_required'
  | 'field_absent'
  | 'length_mismatch'
  | 'no_route_matched'
  | 'merge_conflict'
  | 'limit_exceeded'
  | 'max_steps_exceeded'
  | 'approval_denied'
  | 'approval_unavailable'
  | 'agent_failed'
  // Normally reported by loading, but an agent built by hand can still cause them.
  | 'unknown_agent'
  | 'invalid_path_expression'
  | 'dependency_order'
  | 'batch_without_iteration'
  | 'batch_output_shape'
>

/** The codes that can end a run. */
export type RunCode =
  | FormatCode
  | 'model_failed'
  // A model answer was truncated or filtered.
  | 'answer_incomplete'
  | 'missing_key'
  | 'tool_failed'
  | 'guardrail_denied'
  | 'config_invalid'
  | 'cancelled'
  // The address to listen on is not available.
  | 'listen_failed'
  // The journal cannot be used or written.
  | 'journal_refused'
  | 'journal_failed'

/** The reason for a failed run, as plain data. */
export interface RunError {
  readonly code: RunCode
  readonly message: string
  /** Aliases from the root to the failed agent; empty for the root. */
  readonly agent: readonly string[]
  /** The underlying error of a sub-agent or external system. */
  readonly cause?: RunError | { readonly message: string }
  readonly details?: Value
}

/** The exception form of a `RunError`. Thrown in the runtime and by policies; `run` converts it to a result. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly error: RunError

  constructor(error: RunError) {
    super(error.message)
    this.error = error
  }
}

/**
 * Thrown if a server or remote agent sends an invalid response: malformed, too large, or not matching its schema. Not
 * used for errors that the peer reports.
 */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer'
  /** The requested operation, as the protocol names it. */
  readonly operation: string

  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.operation = operation
  }
}

/** True if the exceeded limit belongs to the agent or one of its ancestors, rather than a sub-agent. */
export function isLimitOf({ error }: RunFailure, agent: readonly string[]): boolean {
  return error.code === 'limit_exceeded' && error.agent.length <= agent.length
}

/** Returns the abort reason as a failure. */
export function failureOf(signal: AbortSignal, agent: readonly string[]): RunFailure {
  const reason: unknown = signal.reason
  if (reason instanceof RunFailure) return reason
  return cancelled(agent, reason instanceof Error ? reason.message : undefined)
}

export function throwIfAborted(signal: AbortSignal, agent: readonly string[]): void {
  if (signal.aborted) throw failureOf(signal, agent)
}

export function cancelled(agent: readonly string[], reason?: string): RunFailure {
  const cause = reason === undefined ? {} : { cause: { message: reason } }
  return new RunFailure({ code: 'cancelled', message: 'the run was cancelled', agent, ...cause })
}

/** Rethrows an error with the message of its cause instead of `fetch failed`. */
export function throwCause(thrown: unknown): never {
  if (thrown instanceof TypeError && thrown.cause instanceof Error) {
    const { cause } = thrown
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
    throw new Error([code, cause.message].filter((part) => part !== '').join(': ') || thrown.message, { cause })
  }
  throw thrown
}
