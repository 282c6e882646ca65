/** Work that is waited for no longer than a time. */
import { type Clock, systemClock } from './clock.ts'
import { abortable, linkSignals, onAbort } from './signals.ts'

/** Waits for work, but no longer than a time or until the signal fires; then the fallback counts. */
export function within<T>(
  clock: Clock,
  milliseconds: number,
  work: Promise<T>,
  signal: AbortSignal | undefined,
  late: () => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      // Nobody waits for it any more.
      work.catch(() => {})
      return resolve(late())
    }
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
  })
}

/** Whether work ends within a time, by the clock of the machine. */
export function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const ended = work.then(() => true)
  return within(systemClock, milliseconds, ended, undefined, () => false)
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
