/** Environment errors: sockets, processes, files. Invalid documents and messages are diagnostics instead. */
import { messageOf, type Result } from '@joust/source'

/** Error codes of `ArenaError`. */
export type ArenaErrorCode =
  | 'listen_failed'
  | 'connect_failed'
  | 'connection_lost'
  | 'timed_out'
  | 'unavailable'
  | 'rejected'
  | 'not_wired'
  | 'names_repeated'
  | 'trials_invalid'
  | 'options_invalid'
  | 'target_failed'
  | 'trace_failed'
  | 'stopped'

/** An environment error. Its message names the failed operation. */
export class ArenaError extends Error {
  override readonly name = 'ArenaError'
  readonly code: ArenaErrorCode

  constructor(code: ArenaErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

/** Returns the error code for an HTTP status. After `unavailable`, a later attempt may succeed. */
export function codeOfStatus(status: number): 'unavailable' | 'rejected' {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599)
    ? 'unavailable'
    : 'rejected'
}

const TRANSIENT = /^(?:timed_out|unavailable|ECONN(?:RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_\w+)$/

/** True if a later attempt may avoid the error, judging by its code or the code of its cause. */
export function isTransient(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? String(thrown.code) : ''
  return TRANSIENT.test(code) || isTransient(thrown.cause)
}

/** Returns the value of a result; throws its error as `not_wired`. */
export function unwrapWiring<T>(result: Result<T, string>): T {
  if (result.ok) return result.value
  throw new ArenaError('not_wired', result.error)
}

/** Wraps a thrown value in an `ArenaError`, unless it already is one. */
export function toArenaError(code: ArenaErrorCode, what: string, thrown: unknown): ArenaError {
  return thrown instanceof ArenaError
    ? thrown
    : new ArenaError(code, `${what}: ${messageOf(thrown)}`, { cause: thrown })
}
