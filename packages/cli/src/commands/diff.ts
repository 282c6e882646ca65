/** `joust diff A B`: what has changed between two results. */
import { compareResults } from '@joust/arena'
import { jsonText } from '@joust/source'
import type { DiffOptions } from '../options/results.ts'
import { coloursFor } from '../render/colours.ts'
import { renderComparison } from '../render/comparison.ts'
import { readResultsAt } from '../report/read-results.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'

/** Prints what has changed; with `failOn`, 1 when something got worse or can no longer be decided. */
export async function diff(before: string, after: string, options: DiffOptions, io: Io): Promise<number> {
  const old = await readResultsAt(before, io)
  const now = await readResultsAt(after, io)
  if (!old.ok) return old.error
  if (!now.ok) return now.error
  const comparison = compareResults(old.value.results, now.value.results, { force: options.force })
  if (!comparison.ok) {
    const reasons = comparison.error.map((reason) => `cannot be compared: ${reason}`)
    return wrongUsage([...reasons, '--force compares them anyway'], io)
  }
  const { unlike, regressions } = comparison.value
  for (const reason of unlike) tell(io, `compared although ${reason}`)
  if (options.json) io.stdout.write(jsonText(comparison.value))
  else io.stdout.write(renderComparison(comparison.value, coloursFor(io, 'stdout')))
  return options.failOn === 'regression' && regressions.length > 0 ? exitCodes.findings : exitCodes.ok
}
