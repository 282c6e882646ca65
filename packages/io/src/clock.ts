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
