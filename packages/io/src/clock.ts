/** A replaceable clock, and timeouts for asynchronous work. */
import { abortable, linkSignals, onAbort } from './signals.ts'

/** The current time and timers, which tests can replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls the function after a delay. Returns a function that cancels the timer. */
  setTimer(milliseconds: number, callback: () => void): () => void
}

/** The maximum delay for `setTimeout`. A timer with a longer delay would fire immediately. */
const LONGEST = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  setTimer(milliseconds, callback) {
    let timer: ReturnType<typeof setTimeout>
    const arm = (remaining: number) => {
      timer = setTimeout(
        () => (remaining > LONGEST ? arm(remaining - LONGEST) : callback()),
        Math.max(0, Math.min(remaining, LONGEST)),
      )
    }
    arm(milliseconds)
    return () => clearTimeout(timer)
  },
}

/** Waits for work. Resolves to the fallback after a timeout or when the signal fires. */
export function within<T>(
  clock: Clock,
  milliseconds: number,
  work: Promise<T>,
  signal: AbortSignal | undefined,
  late: () => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fallBack = () => {
      release()
      resolve(late())
    }
    const cancel = clock.setTimer(milliseconds, fallBack)
    const stop = signal && onAbort(signal, fallBack)
    const release = () => {
      cancel()
      stop?.()
    }
    work.then(resolve, reject).finally(release)
    if (signal?.aborted === true) fallBack()
  })
}

/**
 * Resolves to true if the work ends within the given time.
 *
 * @example
 * if (!(await endsWithin(fetch('http://127.0.0.1:8000/'), 5_000))) console.error('no answer within 5 s')
 */
export function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const ended = work.then(() => true)
  return within(systemClock, milliseconds, ended, undefined, () => false)
}

/** Converts a `Retry-After` header (seconds or a date) to milliseconds. Returns undefined if it is invalid. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const value = (header ?? '').trim()
  if (/^\d+(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // The date parser accepts almost any text, but an HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Waits until the delay has passed or the signal fires. Never rejects. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return within(clock, milliseconds, new Promise<never>(() => {}), signal, () => {})
}

/**
 * Starts work with a signal that fires after a timeout or when one of `signals` fires, and then rejects with the reason
 * of that signal. The work calls `alive` to restart the timeout.
 */
export async function startWithin<T>(
  clock: Clock,
  milliseconds: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal, alive: () => void) => PromiseLike<T> | T,
  late: () => Error = () => new Error(`no answer within ${milliseconds / 1000} seconds`),
): Promise<T> {
  const link = linkSignals(signals)
  const begin = () => clock.setTimer(milliseconds, () => link.abort(late()))
  let cancel = begin()
  let isOver = false
  const alive = () => {
    cancel()
    if (!isOver) cancel = begin()
  }
  try {
    return await abortable(link.signal, () => work(link.signal, alive))
  } finally {
    isOver = true
    cancel()
    link.close()
  }
}
