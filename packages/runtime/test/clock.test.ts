import { afterEach, describe, expect, it, vi } from 'vitest'
import { createClock } from '../src/clock.ts'
import { fakeClock } from './support/clock.ts'

afterEach(() => void vi.useRealTimers())

describe('sleep', () => {
  it('ends with the time', async () => {
    const time = fakeClock()
    const pending = createClock(time).sleep(100, new AbortController().signal)
    time.advance(100)
    await pending
    expect(time.waiting()).toBe(0)
  })

  it('ends with the signal, and leaves no timer', async () => {
    const time = fakeClock()
    const cancel = new AbortController()
    const pending = createClock(time).sleep(100, cancel.signal)
    cancel.abort(new Error('enough'))
    await expect(pending).rejects.toThrow('enough')
    expect(time.waiting()).toBe(0)
  })
})

describe('the timer of the platform', () => {
  it('waits longer than the platform can', () => {
    vi.useFakeTimers()
    let rang = 0
    const month = 31 * 24 * 3600 * 1000
    createClock({}).setTimer(month, () => {
      rang += 1
    })
    vi.advanceTimersByTime(month - 1)
    expect(rang).toBe(0)
    vi.advanceTimersByTime(1)
    expect(rang).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('can be cancelled at any time', () => {
    vi.useFakeTimers()
    const cancel = createClock({}).setTimer(2 ** 32, () => {
      throw new Error('rang')
    })
    vi.advanceTimersByTime(2 ** 31)
    cancel()
    expect(vi.getTimerCount()).toBe(0)
  })
})
