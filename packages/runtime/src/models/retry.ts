/** Classification of model call errors, and the retry policy. */
import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider'
import { retryAfterMs } from '@joust/io'
import { messageOf } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'

const RETRYABLE = new Set([408, 409, 425, 429])
/** Matches OpenAI's error for an exhausted quota, which has status 429 but is not temporary. */
const QUOTA_EXCEEDED = /"(?:code|type)"\s*:\s*"insufficient_quota"/

/** Matches errors of providers that reject a request because of its content. */
const FILTERED = /"(?:code|type)"\s*:\s*"(?:content_filter|content_policy_violation|data_inspection_failed)"/

/** The error for a model call that timed out. May be retried. */
export class ModelTimeout extends Error {
  override readonly name = 'ModelTimeout'

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} seconds`)
  }
}

export class ReplayedError extends Error {
  override readonly name = 'ReplayedError'
  readonly error: CallError

  constructor(error: CallError) {
    super(error.message)
    this.error = error
  }
}

export interface CallError {
  readonly message: string
  readonly status?: number | undefined
  readonly retryable: boolean
  /** The delay requested by the provider, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** True if the provider's filter rejected the request. */
  readonly filtered?: true
}

/** Converts a thrown value. Messages omit response bodies, which may contain the conversation. */
export function callErrorOf(thrown: unknown, now: number): CallError {
  if (thrown instanceof ReplayedError) return thrown.error
  if (thrown instanceof ModelTimeout) return { message: thrown.message, retryable: true }
  if (TypeValidationError.isInstance(thrown))
    return { message: 'the answer has an unexpected format', retryable: false }
  if (JSONParseError.isInstance(thrown)) return { message: 'the answer is not valid JSON', retryable: false }
  if (!APICallError.isInstance(thrown)) return { message: messageOf(thrown), retryable: isNetworkError(thrown) }
  const { statusCode: status, responseHeaders = {}, responseBody = '' } = thrown
  const brokeOff = status !== undefined && status < 400 && isNetworkError(thrown)
  const text = brokeOff ? 'the connection was lost before the answer was complete' : thrown.message
  const message = status === undefined ? text : `${text} (status ${status})`
  const isTemporary = status === undefined ? thrown.isRetryable : RETRYABLE.has(status) || status >= 500
  const retryable = isTemporary && !QUOTA_EXCEEDED.test(responseBody)
  const filtered = FILTERED.test(responseBody) && ({ filtered: true } as const)
  return { message, retryable, status, retryAfterMs: requestedDelay(responseHeaders, now), ...filtered }
}

/**
 * Returns the delay before the next attempt: requested by the provider, or exponential with jitter. Undefined if the
 * delay is too long.
 */
export function waitBefore(attempt: number, error: CallError, random: () => number): number | undefined {
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs > runtimeLimits.modelAskedWaitMs ? undefined : error.retryAfterMs
  const full = Math.min(runtimeLimits.modelLongestWaitMs, runtimeLimits.modelFirstWaitMs * 2 ** (attempt - 1))
  return Math.round(full / 2 + (full / 2) * random())
}

/** Reads `retry-after-ms`, sent by some providers, or `retry-after`. */
function requestedDelay(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds)
  return retryAfterMs(headers['retry-after'], now)
}

/** True for network errors thrown by `fetch`, recognized by the cause's system code or the message. */
function isNetworkError(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown instanceof TypeError && /fetch failed|network|terminated/i.test(thrown.message)) return true
  const code = 'code' in thrown ? thrown.code : undefined
  const isSystemError = typeof code === 'string' && /^(?:ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|UND_ERR)/.test(code)
  return isSystemError || (thrown.cause !== undefined && thrown.cause !== thrown && isNetworkError(thrown.cause))
}
