/** Failures of a call, as they are recorded. */
import { messageOf } from '../model/errors.ts'
import type { RecordedEnd, RecordedFailure } from './recording.ts'

/** What a call that did not come to its end leaves: a failure, or nothing when the run was over. */
export function endOf(thrown: unknown, signal?: AbortSignal): RecordedEnd {
  if (signal?.aborted !== true) return failureOf(thrown)
  return timedOut(signal.reason) ? { message: messageOf(signal.reason), code: 'ETIMEDOUT' } : 'open'
}

/** A time limit of one call, after which it is made again; anything else that stops a call ends the run. */
function timedOut(reason: unknown): boolean {
  return reason instanceof Error && /Timeout/.test(reason.name)
}

function failureOf(thrown: unknown): RecordedFailure {
  const status = field(thrown, 'statusCode')
  const code = codeOf(thrown)
  return {
    message: messageOf(thrown),
    ...(typeof status === 'number' ? { status } : {}),
    ...(code === undefined ? {} : { code }),
    ...(thrown instanceof TypeError ? { type_error: true } : {}),
  }
}

/** Failures of the network are told by a code, which may be a few causes down. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  const code = field(thrown, 'code')
  if (typeof code === 'string') return code
  const cause = field(thrown, 'cause')
  return cause === undefined || depth > 4 ? undefined : codeOf(cause, depth + 1)
}

function field(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined
}
