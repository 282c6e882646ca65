/** Work that is given up when it takes too long. */
import { abortable, linkSignals } from './abortable.ts'
import type { Clock } from './clock.ts'

/** How long single calls may take, unless the host says otherwise. */
export const TIMEOUTS = { toolMs: 120_000, connectMs: 30_000 } as const

/** Starts work with a signal that also fires after a time; then it rejects with an error that says so. */
export async function withinTime<T>(
  clock: Clock,
  milliseconds: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => PromiseLike<T> | T,
): Promise<T> {
  const timeout = new AbortController()
  const link = linkSignals([...signals, timeout.signal])
  const late = new Error(`no answer within ${milliseconds / 1000} seconds`)
  const cancel = clock.setTimer(milliseconds, () => timeout.abort(late))
  try {
    return await abortable(link.signal, () => work(link.signal))
  } finally {
    cancel()
    link.close()
  }
}
