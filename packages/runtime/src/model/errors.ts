/** Why a run failed: the closed list of codes, the plain error that hosts get, and the throw that carries it inside. */
import type { AgentCode } from '@joust/agentformat'
import type { Value } from '@joust/source'

/** Codes of the format that a run can end with. */
type FormatCode = Extract<
  AgentCode,
  // Preparing: what the host has not bound.
  | 'unsupported_policy'
  | 'unbound_tool'
  | 'unmapped_server'
  | 'unknown_transform'
  | 'policy_unresolved'
  | 'memory_required'
  // Running.
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
  // Found by loading; an agent that was built by hand can still run into them.
  | 'unknown_agent'
  | 'invalid_path_expression'
  | 'dependency_order'
  | 'batch_without_iteration'
  | 'batch_output_shape'
>

/** Every code a run can end with. */
export type RunCode =
  | FormatCode
  | 'model_failed'
  // An answer of a model was cut off or filtered.
  | 'answer_incomplete'
  | 'missing_key'
  | 'tool_failed'
  | 'guardrail_denied'
  | 'config_invalid'
  | 'cancelled'
  // The address to serve at is not available.
  | 'listen_failed'
  // The journal cannot be used, or written.
  | 'journal_refused'
  | 'journal_failed'

/** Why a run failed, as plain data. */
export interface RunError {
  readonly code: RunCode
  readonly message: string
  /** Aliases from the root to the agent that failed; empty for the root. */
  readonly agent: readonly string[]
  /** The sub-agent's error, or what the world outside said. */
  readonly cause?: RunError | { readonly message: string }
  readonly details?: Value
}

/** A `RunError` on its way up. Thrown inside the runtime and by policies; `run` turns it into a result. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
  readonly error: RunError

  constructor(error: RunError) {
    super(error.message)
    this.error = error
  }
}

/**
 * An answer of a server or remote agent that its client does not accept: malformed, against its own schema, too large.
 * An error that the peer answers with is not one of these.
 */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer'
  /** What was asked for, in the protocol's terms. */
  readonly operation: string

  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.operation = operation
  }
}

/** Whether a failure is due to a limit of this agent or of one above; a sub-agent's own limit is its own failure. */
export function isLimitOf({ error }: RunFailure, agent: readonly string[]): boolean {
  return error.code === 'limit_exceeded' && error.agent.length <= agent.length
}

/** The failure that a fired signal stands for. */
export function failureOf(signal: AbortSignal, agent: readonly string[]): RunFailure {
  return signal.reason instanceof RunFailure ? signal.reason : cancelled(agent, signal.reason)
}

/** Throws the failure of a signal that has fired. */
export function throwIfAborted(signal: AbortSignal, agent: readonly string[]): void {
  if (signal.aborted) throw failureOf(signal, agent)
}

/** The failure of what was cancelled from outside. */
export function cancelled(agent: readonly string[], reason?: unknown): RunFailure {
  const cause = reason instanceof Error ? { cause: { message: reason.message } } : {}
  return new RunFailure({ code: 'cancelled', message: 'the run was cancelled', agent, ...cause })
}
