import { APICallError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { callErrorOf, ModelTimeout, waitBefore } from '../../src/models/retry.ts'

function refusal(statusCode: number | undefined, headers: Record<string, string> = {}): APICallError {
  const status = statusCode === undefined ? {} : { statusCode }
  return new APICallError({
    message: 'no',
    url: 'http://x',
    requestBodyValues: { secret: 'prompt' },
    responseHeaders: headers,
    ...status,
  })
}

describe('callErrorOf', () => {
  it.each([
    [429, true],
    [408, true],
    [500, true],
    [503, true],
    [529, true],
    [400, false],
    [401, false],
    [404, false],
    [413, false],
  ])('status %i', (status, retryable) => {
    expect(callErrorOf(refusal(status), 0)).toEqual({ message: `no (status ${status})`, status, retryable })
  })

  it('network errors are retryable', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    expect(callErrorOf(new TypeError('fetch failed', { cause }), 0).retryable).toBe(true)
    expect(callErrorOf(new Error('Cannot connect to API', { cause }), 0).retryable).toBe(true)
    expect(callErrorOf(new TypeError('terminated'), 0).retryable).toBe(true)
    expect(callErrorOf(new ModelTimeout(1000), 0)).toEqual({ message: 'no answer within 1 seconds', retryable: true })
  })

  it('other errors are not retryable', () => {
    expect(callErrorOf(new TypeError('x is not a function'), 0)).toEqual({
      message: 'x is not a function',
      retryable: false,
    })
    expect(callErrorOf('odd', 0)).toEqual({ message: 'odd', retryable: false })
    expect(callErrorOf(undefined, 0).retryable).toBe(false)
  })

  it('keeps the conversation out of messages', () => {
    expect(JSON.stringify(callErrorOf(refusal(500), 0))).not.toContain('prompt')
  })

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' }, 50_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
  ])('%j', (headers, wait) => {
    expect(callErrorOf(refusal(429, headers), 10_000).retryAfterMs).toBe(wait)
  })
})

describe('waitBefore', () => {
  const fault = { message: '', retryable: true }

  it('doubles with jitter, up to a maximum', () => {
    expect([1, 2, 3, 20].map((attempt) => waitBefore(attempt, fault, () => 0))).toEqual([250, 500, 1000, 15_000])
    expect([1, 2, 3, 20].map((attempt) => waitBefore(attempt, fault, () => 1))).toEqual([500, 1000, 2000, 30_000])
  })

  it('is the delay that the provider requests, unless it is too long', () => {
    expect(waitBefore(1, { ...fault, retryAfterMs: 9000 }, () => 0)).toBe(9000)
    expect(waitBefore(1, { ...fault, retryAfterMs: 3_600_000 }, () => 0)).toBeUndefined()
  })
})
