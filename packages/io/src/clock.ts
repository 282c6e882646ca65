/** Time, passed in so that tests need no sleeping, and work that is waited for no longer than a time. */
import { abortable, linkSignals, onAbort } from './signals.ts'

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
  signal: AbortSignal | undefined,
  late: () => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      release()
      resolve(late())
    }
    const cancel = clock.setTimer(milliseconds, giveUp)
    const stop = signal && onAbort(signal, giveUp)
    const release = () => {
      cancel()
      stop?.()
    }
    work.then(resolve, reject).finally(release)
    if (signal?.aborted === true) giveUp()
  })
}

/** Whether work ends within a time, by the clock of the machine. */
export function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const ended = work.then(() => true)
  return within(systemClock, milliseconds, ended, undefined, () => false)
}

/** The milliseconds that `Retry-After` asks for, in seconds or as a date; undefined when it says neither. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const said = (header ?? '').trim()
  if (/^\d+(?:\.\d+)?$/.test(said)) return Math.ceil(Number(said) * 1000)
  // The date parser accepts almost anything; an HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Waits for a time, or until the signal fires. Never rejects. */
export function pause(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return within(clock, milliseconds, new Promise<never>(() => {}), signal, () => {})
}

/** Starts work with a signal that fires with others and after a time; then it rejects with the signal's reason. */
export async function startWithin<T>(
  clock: Clock,
  milliseconds: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => PromiseLike<T> | T,
  late: Error = new Error(`no answer within ${milliseconds / 1000} seconds`),
): Promise<T> {
  const timeout = new AbortController()
  const link = linkSignals([...signals, timeout.signal])
  const cancel = clock.setTimer(milliseconds, () => timeout.abort(late))
  try {
    return await abortable(link.signal, () => work(link.signal))
  } finally {
    cancel()
    link.close()
  }
}
