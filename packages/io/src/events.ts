/** Work that reports events, as an iterator. */
import { deferred, linkSignals } from './signals.ts'

/**
 * Starts work and yields the events that it reports, as they occur; returns its result. The work does not wait for its
 * reader. Leaving the loop early fires the signal of the work.
 */
export async function* eventsOf<Event, Result>(
  start: (report: (event: Event) => void, signal: AbortSignal) => Promise<Result>,
  outer?: AbortSignal,
): AsyncGenerator<Event, Result, void> {
  const events: Event[] = []
  let news = deferred<void>()
  const link = linkSignals([outer])
  let isOver = false
  const report = (event: Event) => {
    events.push(event)
    news.resolve()
  }
  const running = start(report, link.signal).finally(() => {
    isOver = true
    news.resolve()
  })
  // It is awaited below; until then, its rejection is not unhandled.
  running.catch(() => {})
  try {
    while (!isOver || events.length > 0) {
      const next = events.shift()
      if (next !== undefined) yield next
      else {
        await news.promise
        news = deferred<void>()
      }
    }
    return await running
  } finally {
    link.abort(new Error('the reader of the events has left'))
    await running.catch(() => {})
  }
}
