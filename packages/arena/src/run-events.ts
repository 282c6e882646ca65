/** Runs one attack as a stream of events. */
import { eventsOf } from '@joust/io'
import type { LoadedAttack } from '@joust/oatf'
import type { AttackOptions, RunEvent } from './model/options.ts'
import { type AttackRun, runAttack } from './run.ts'

/**
 * Runs an attack once, yields its events as they occur, and returns the run. Exiting the loop early stops the run. The
 * run does not wait for its reader.
 *
 * @example
 * for await (const event of runEvents(attack, { target })) if (event.type === 'message-recorded') show(event.entry)
 */
export function runEvents(
  attack: LoadedAttack,
  options: AttackOptions = {},
): AsyncGenerator<RunEvent, AttackRun, void> {
  const start = (report: (event: RunEvent) => void, signal: AbortSignal) => {
    const onEvent = (event: RunEvent) => {
      report(event)
      options.onEvent?.(event)
    }
    return runAttack(attack, { ...options, signal, onEvent })
  }
  return eventsOf(start, options.signal)
}
