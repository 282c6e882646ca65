/** What a cassette holds: a line for each call, and one for each model that was asked. */
import { messageOf } from '@joust/source'
import type { ArenaErrorCode } from '../model/errors.ts'

/** The version that is written, and the newest that can be read. */
export const CASSETTE_VERSION = 1

/** What was called: a model for a whole answer or for a stream, or an endpoint. */
export type CallKind = 'generate' | 'stream' | 'http'

/** A failure, with what decides whether a caller tries again. */
export interface RecordedFailure {
  readonly message: string
  /** Of an HTTP answer that was an error. */
  readonly status?: number
  /** Of a system call, or of an `ArenaError`. */
  readonly code?: ArenaErrorCode | (string & {})
  /** Set when it was a `TypeError`, which `fetch` throws when there is no network. */
  readonly type_error?: true
}

/** How a call ended. `open`: it had not ended when the run was over, or its reader left. */
export type RecordedEnd = 'done' | 'open' | RecordedFailure

/** A call and its outcome. */
export interface Recording {
  readonly kind: CallKind
  /** Counts calls that ask the same, in the order in which they began. */
  readonly nth: number
  readonly request: unknown
  /** The answer without its body; absent when there was none. */
  readonly head?: unknown
  /** The parts of a stream, in order. */
  readonly parts?: readonly unknown[]
  readonly end: RecordedEnd
}

/** A model that was asked, so that a replay needs no provider and no key. */
export interface RecordedModel {
  readonly kind: 'model'
  /** How the agent names it. */
  readonly name: string
  readonly provider: string
  readonly model_id: string
}

/** How a call ended that did not complete: with a failure, or `open` when the run was over. */
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

/** Failures of the network have a code, which may be a few causes down. */
function codeOf(thrown: unknown, depth = 0): string | undefined {
  const code = field(thrown, 'code')
  if (typeof code === 'string') return code
  const cause = field(thrown, 'cause')
  return cause === undefined || depth > 4 ? undefined : codeOf(cause, depth + 1)
}

function field(thrown: unknown, name: string): unknown {
  return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined
}
