/** The lines of a cassette: one per call, and one per model. */
import { messageOf } from '@joust/source'
import type { ArenaErrorCode } from '../model/errors.ts'

/** The version that is written, and the newest supported one. */
export const CASSETTE_VERSION = 1

/** The kind of a call: a model answer, a model stream, or an HTTP request. */
export type CallKind = 'generate' | 'stream' | 'http'

/** A failure, with the data that retries depend on. */
export interface RecordedFailure {
  readonly message: string
  /** The status of an HTTP error. */
  readonly status?: number
  /** The code of a system error or an `ArenaError`. */
  readonly code?: ArenaErrorCode | (string & {})
  /** Set for a `TypeError`, which `fetch` throws without a network. */
  readonly type_error?: true
}

/** The end of a call. `open`: still pending at the end of the run, or its reader stopped. */
export type RecordedEnd = 'done' | 'open' | RecordedFailure

/** A call and its outcome. */
export interface Recording {
  readonly kind: CallKind
  /** The number of the call among equivalent calls, in order of their start. */
  readonly nth: number
  readonly request: unknown
  /** The answer without its body; absent without an answer. */
  readonly head?: unknown
  /** The parts of a stream, in order. */
  readonly parts?: readonly unknown[]
  readonly end: RecordedEnd
}

/** A recorded model, so that a replay needs no provider and no key. */
export interface RecordedModel {
  readonly kind: 'model'
  /** The name that the agent uses. */
  readonly name: string
  readonly provider: string
  readonly model_id: string
}

/** The end of an incomplete call: a failure, or `open` at the end of the run. */
export function endOf(thrown: unknown, signal?: AbortSignal): RecordedEnd {
  if (signal?.aborted !== true) return failureOf(thrown)
  return timedOut(signal.reason) ? { message: messageOf(signal.reason), code: 'ETIMEDOUT' } : 'open'
}

/** True for the timeout of a single call; other aborts end the run. */
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

/** The code of a network error, which may be nested in its causes. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  const code = field(thrown, 'code')
  if (typeof code === 'string') return code
  const cause = field(thrown, 'cause')
  return cause === undefined || depth > 4 ? undefined : codeOf(cause, depth + 1)
}

function field(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined
}
