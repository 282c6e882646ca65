import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../src/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('waits longer than the platform can', () => {
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
