/** A clock that stands still until it is told otherwise. */
import type { Clock } from '@joust/io'

export interface FakeClock extends Clock {
  /** Moves on, running the callbacks that fall due, in order; lets promises settle before and after each. */
  advance(milliseconds: number): Promise<void>
  /** How many timers are pending. */
  pending(): number
}

/** Begins at 2026-01-01T00:00:00Z. */
export function createFakeClock(): FakeClock {
  let time = Date.UTC(2026, 0, 1)
  const timers = new Set<{ due: number; callback: () => void }>()
  return {
    now: () => time,
    setTimer(milliseconds, callback) {
      const timer = { due: time + Math.max(0, milliseconds), callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    pending: () => timers.size,
    async advance(milliseconds) {
      const end = time + milliseconds
      await settle()
      for (let next = earliest(timers, end); next !== undefined; next = earliest(timers, end)) {
        timers.delete(next)
        time = Math.max(time, next.due)
        next.callback()
        await settle()
      }
      time = end
      await settle()
    },
  }
}

/** Lets everything that is ready run: promises, and callbacks of the event loop. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function earliest<T extends { due: number }>(timers: ReadonlySet<T>, end: number): T | undefined {
  let found: T | undefined
  for (const timer of timers) if (timer.due <= end && (found === undefined || timer.due < found.due)) found = timer
  return found
}
