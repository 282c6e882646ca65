/** Runs jobs concurrently with ordered results. The first failure cancels the others (decision 0019, OPEN-24). */
import { cancelled } from '../model/errors.ts'

/** Runs a job for each item. Settles once all jobs have ended. */
export async function runConcurrently<Item, Result>(
  items: readonly Item[],
  width: number,
  agent: readonly string[],
  job: (item: Item, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<readonly Result[]> {
  const group = new AbortController()
  const results: Result[] = []
  const failures: unknown[] = []
  const waiting = items.entries()
  const work = async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return
      try {
        results[index] = await job(item, index, group.signal)
      } catch (thrown) {
        failures.push(thrown)
        group.abort(cancelled(agent))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
