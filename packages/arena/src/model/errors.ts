/** How the outside world may fail a run: sockets, processes, files. Bad documents and messages are diagnostics. */
import { messageOf, type Result } from '@joust/source'

/** Every way in which the outside world can fail a run. */
export type ArenaErrorCode =
  | 'listen_failed'
  | 'connect_failed'
  | 'connection_lost'
  | 'timed_out'
  | 'not_wired'
  | 'names_repeated'
  | 'target_failed'
  | 'trace_failed'
  | 'cassette_failed'
  | 'recording_missing'
  | 'stopped'

/** A failure of the outside world, with what was tried in its message. */
export class ArenaError extends Error {
  override readonly name = 'ArenaError'
  readonly code: ArenaErrorCode

  constructor(code: ArenaErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.code = code
  }
}

/** The value of a result; throws its error, which says why a run cannot be wired. */
export function orNotWired<T>(result: Result<T, string>): T {
  if (result.ok) return result.value
  throw new ArenaError('not_wired', result.error)
}

/** An `ArenaError` stays as it is, anything else becomes one. */
export function toArenaError(code: ArenaErrorCode, what: string, thrown: unknown): ArenaError {
  return thrown instanceof ArenaError
    ? thrown
    : new ArenaError(code, `${what}: ${messageOf(thrown)}`, { cause: thrown })
}
