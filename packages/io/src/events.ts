import { deferred, linkSignals } from './signals.ts'

/**
 * Starts work, yields the events that the work reports, and returns the result. The work does not wait for the reader.
 * Leaving the loop early aborts the work's signal.
 */
export async function* eventsOf<Event, Result>(
  start: (report: (event: Event) => void, signal: AbortSignal) => Promise<Result>,
  outer?: AbortSignal,
): AsyncGenerator<Event, Result, void> {
  const events: Event[] = []
  let nextEvent = deferred<void>()
  const link = linkSignals([outer])
  let isOver = false
  const report = (event: Event) => {
    events.push(event)
    nextEvent.resolve()
  }
  const running = start(report, link.signal).finally(() => {
    isOver = true
    nextEvent.resolve()
  })
  // The promise is awaited below. Until then, a rejection must not be unhandled.
  running.catch(() => {})
  try {
    while (!isOver || events.length > 0) {
      const next = events.shift()
      if (next !== undefined) yield next
      else {
        await nextEvent.promise
        nextEvent = deferred<void>()
      }
    }
    return await running
  } finally {
    link.abort(new Error('the event iterator was closed'))
    await running.catch(() => {})
  }
}
