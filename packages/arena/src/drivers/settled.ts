/** Whether what was sent has arrived, by what came of it. */
import { ArenaError } from '../model/errors.ts'
import type { Held } from '../model/trace-entry.ts'

/**
 * Waits for an answer. A connection that was refused or broke off before it took nothing with it, as far as anybody can
 * tell; an answer that does not come in time says nothing of the kind.
 */
export async function settled<T>(held: readonly Held[], answer: Promise<T>): Promise<T> {
  try {
    const value = await answer
    for (const each of held) each.arrived()
    return value
  } catch (thrown) {
    const isUnknown = thrown instanceof ArenaError && (thrown.code === 'timed_out' || thrown.code === 'stopped')
    for (const each of held) isUnknown ? each.arrived() : each.lost()
    throw thrown
  }
}
