/** Whether a failed model call is worth another try, and when. */

import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider'
import { retryAfterMs } from '@joust/io'
import { messageOf } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'

const RETRYABLE = new Set([408, 409, 425, 429])
/** What OpenAI says with a 429 to an account that has no money left: waiting does not help. */
const USED_UP = /"(?:code|type)"\s*:\s*"insufficient_quota"/

/** A model that gave no answer in time; asking again may help. */
export class ModelTimeout extends Error {
  override readonly name = 'ModelTimeout'

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} seconds`)
  }
}

/** A failure of which nothing is known beyond what a journal keeps. */
export class KnownFault extends Error {
  override readonly name = 'KnownFault'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** What is known about a failed call. */
export interface Fault {
  readonly message: string
  readonly status?: number | undefined
  readonly retryable: boolean
  /** How long the provider asks us to wait. */
  readonly retryAfterMs?: number | undefined
}

/** Reads what a model threw. Whole bodies stay out of messages: they hold the conversation. */
export function faultOf(thrown: unknown, now: number): Fault {
  if (thrown instanceof KnownFault) return thrown.fault
  if (thrown instanceof ModelTimeout) return { message: thrown.message, retryable: true }
  if (TypeValidationError.isInstance(thrown)) return { message: 'the answer has an unknown shape', retryable: false }
  if (JSONParseError.isInstance(thrown)) return { message: 'the answer is not JSON', retryable: false }
  if (!APICallError.isInstance(thrown)) return { message: messageOf(thrown), retryable: isNetworkError(thrown) }
  const { statusCode, responseHeaders, responseBody = '' } = thrown
  const message = statusCode === undefined ? thrown.message : `${thrown.message} (status ${statusCode})`
  const mayPass = statusCode === undefined ? thrown.isRetryable : RETRYABLE.has(statusCode) || statusCode >= 500
  const retryable = mayPass && !USED_UP.test(responseBody)
  return { message, retryable, status: statusCode, retryAfterMs: askedWait(responseHeaders ?? {}, now) }
}

/** How long to wait before the next attempt: what the provider asks, else doubling with a random part. */
export function waitBefore(attempt: number, fault: Fault, random: () => number): number | undefined {
  if (fault.retryAfterMs !== undefined)
    return fault.retryAfterMs > runtimeLimits.modelAskedWaitMs ? undefined : fault.retryAfterMs
  const full = Math.min(runtimeLimits.modelLongestWaitMs, runtimeLimits.modelFirstWaitMs * 2 ** (attempt - 1))
  return Math.round(full / 2 + (full / 2) * random())
}

/** `retry-after-ms`, which some providers send, or `retry-after`. */
function askedWait(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '')
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return Math.ceil(milliseconds)
  return retryAfterMs(headers['retry-after'], now)
}

/** Failures of `fetch` before an answer: the cause has a system code, or the error says that fetching failed. */
function isNetworkError(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  if (thrown instanceof TypeError && /fetch failed|network|terminated/i.test(thrown.message)) return true
  const code = 'code' in thrown ? thrown.code : undefined
  const known = typeof code === 'string' && /^(?:ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|UND_ERR)/.test(code)
  return known || (thrown.cause !== undefined && thrown.cause !== thrown && isNetworkError(thrown.cause))
}
