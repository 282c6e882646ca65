import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endsWithin, pause, retryAfterMs, startWithin, systemClock, within } from '../src/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const never = new Promise<never>(() => {})

describe('systemClock', () => {
  test('waits longer than setTimeout supports', () => {
    let rang = 0
    const month = 31 * 24 * 3600 * 1000
    systemClock.setTimer(month, () => {
      rang += 1
    })
    vi.advanceTimersByTime(month - 1)
    expect(rang).toBe(0)
    vi.advanceTimersByTime(1)
    expect(rang).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('can be cancelled at any time', () => {
    const cancel = systemClock.setTimer(2 ** 32, () => {
      throw new Error('rang')
    })
    vi.advanceTimersByTime(2 ** 31)
    cancel()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('within', () => {
  test('resolves to the result of the work and leaves no timer or listener', async () => {
    const { signal } = new AbortController()
    expect(await within(systemClock, 10, Promise.resolve('done'), signal, () => 'late')).toBe('done')
    await expect(within(systemClock, 10, Promise.reject(new Error('no')), signal, () => 'late')).rejects.toThrow('no')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('resolves to the fallback after the timeout', async () => {
    const pending = within<string>(systemClock, 10, never, undefined, () => 'late')
    vi.advanceTimersByTime(10)
    expect(await pending).toBe('late')
  })

  test('resolves to the fallback when the signal fires or has fired', async () => {
    const stop = new AbortController()
    const pending = within<string>(systemClock, 10, never, stop.signal, () => 'late')
    stop.abort()
    expect(await pending).toBe('late')
    const failing = Promise.reject(new Error('ignored'))
    expect(await within<string>(systemClock, 10, failing, stop.signal, () => 'late')).toBe('late')
  })
})

test('endsWithin is true only for work that ends in time', async () => {
  expect(await endsWithin(Promise.resolve(), 10)).toBe(true)
  const pending = endsWithin(never, 10)
  vi.advanceTimersByTime(10)
  expect(await pending).toBe(false)
})

test.each([
  ['7', 7000],
  [' 0.5 ', 500],
  ['Thu, 01 Jan 1970 00:01:00 GMT', 50_000],
  ['Thu, 01 Jan 1970 00:00:01 GMT', 0],
  ['soon', undefined],
  ['-3', undefined],
  ['2026-01-01', undefined],
  [undefined, undefined],
])('Retry-After: %s', (header, wait) => {
  expect(retryAfterMs(header, 10_000)).toBe(wait)
})

test('pause ends after the time or with the signal', async () => {
  const timed = pause(systemClock, 10, new AbortController().signal)
  vi.advanceTimersByTime(10)
  await timed
  const stop = new AbortController()
  const stopped = pause(systemClock, 10, stop.signal)
  stop.abort()
  await stopped
})

describe('startWithin', () => {
  test('begins the time anew when the work is alive', async () => {
    let signs = () => {}
    const pending = startWithin(systemClock, 2000, [], (_, alive) => {
      signs = alive
      return never
    })
    const ended = expect(pending).rejects.toThrow('no answer within 2 seconds')
    for (let count = 0; count < 3; count++) {
      await vi.advanceTimersByTimeAsync(1500)
      signs()
    }
    await vi.advanceTimersByTimeAsync(1999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    await ended
    signs()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('resolves to the result of the work', async () => {
    expect(await startWithin(systemClock, 10, [], () => 1)).toBe(1)
  })

  test('rejects on timeout and passes the reason to the work', async () => {
    let reason: unknown
    const pending = startWithin(systemClock, 2000, [], (signal) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason
      })
      return never
    })
    vi.advanceTimersByTime(2000)
    await expect(pending).rejects.toThrow('no answer within 2 seconds')
    expect(reason).toMatchObject({ message: 'no answer within 2 seconds' })
  })

  test('rejects with a custom timeout error', async () => {
    const late = new Error('too late')
    const pending = startWithin(
      systemClock,
      10,
      [],
      () => never,
      () => late,
    )
    vi.advanceTimersByTime(10)
    await expect(pending).rejects.toBe(late)
  })

  test('rejects with the reason of a signal', async () => {
    const stop = new AbortController()
    const pending = startWithin(systemClock, 10, [stop.signal], () => never)
    stop.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
  })
})
