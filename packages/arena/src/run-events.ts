/** One attack as a stream of events. */
import { deferred, linkSignals } from '@joust/io'
import type { LoadedAttack } from '@joust/oatf'
import type { AttackOptions, RunEvent } from './model/options.ts'
import { type AttackRun, runAttack } from './run.ts'

/**
 * Runs an attack once, yields its events as they happen, and returns the run. Leaving the loop early stops the run. The
 * run does not wait for its reader.
 *
 * @example
 * for await (const event of runEvents(attack, { target })) if (event.type === 'message-recorded') show(event.entry)
 */
export async function* runEvents(
  attack: LoadedAttack,
  options: AttackOptions = {},
): AsyncGenerator<RunEvent, AttackRun, void> {
  const events: RunEvent[] = []
  let news = deferred<void>()
  const stop = new AbortController()
  const { signal, close } = linkSignals([options.signal, stop.signal])
  let isOver = false
  const running = runAttack(attack, {
    ...options,
    signal,
    onEvent(event) {
      events.push(event)
      news.resolve()
      options.onEvent?.(event)
    },
  }).finally(() => {
    isOver = true
    news.resolve()
  })
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
    stop.abort()
    await running
    close()
  }
}
