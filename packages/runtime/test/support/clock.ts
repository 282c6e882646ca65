/** A clock that stands still until it is told otherwise. */
import type { Clock } from '@joust/io'

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/** A clock for tests: time passes only through `advance`. */
export function fakeClock(start = 1_000_000) {
  let now = start
  const timers = new Set<Timer>()
  const clock: Clock = {
    now: () => now,
    setTimer(milliseconds, callback) {
      const timer = { at: now + milliseconds, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }
  return {
    ...clock,
    /** How many timers are pending. */
    waiting: () => timers.size,
    advance(milliseconds: number) {
      now += milliseconds
      for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) {
        if (timer.at > now || !timers.delete(timer)) continue
        timer.callback()
      }
    },
  }
}
