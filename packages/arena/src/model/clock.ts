/** Time, passed in: tests need no sleeping. */

/** The time, and a way to be called later. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back after a time; returns how to cancel. */
  setTimer(milliseconds: number, callback: () => void): () => void
}

/** The longest time that a timer of the platform can wait; more would fire at once. */
const LONGEST = 2 ** 31 - 1

/** The clock of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  setTimer(milliseconds, callback) {
    let timer: ReturnType<typeof setTimeout>
    const arm = (left: number) => {
      timer = setTimeout(
        () => (left > LONGEST ? arm(left - LONGEST) : callback()),
        Math.max(0, Math.min(left, LONGEST)),
      )
    }
    arm(milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Waits for work, but no longer than a time or until the signal fires; then the fallback counts. */
export function within<T>(
  clock: Clock,
  milliseconds: number,
  work: Promise<T>,
  signal: AbortSignal,
  late: () => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      // Nobody waits for it any more.
      work.catch(() => {})
      return resolve(late())
    }
    const giveUp = () => {
      release()
      resolve(late())
    }
    const cancel = clock.setTimer(milliseconds, giveUp)
    const release = () => {
      cancel()
      signal.removeEventListener('abort', giveUp)
    }
    signal.addEventListener('abort', giveUp)
    work.then(resolve, reject).finally(release)
  })
}
