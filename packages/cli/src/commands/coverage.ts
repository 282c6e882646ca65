/** `joust coverage DIR`: which techniques were tried, over which protocols, and with what outcome. */
import { coverageOf } from '@joust/arena'
import { jsonText } from '@joust/source'
import type { CoverageOptions } from '../options/results.ts'
import { coloursFor } from '../render/colours.ts'
import { renderCoverage } from '../render/coverage.ts'
import { readResultsAt } from '../report/read-results.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'

/** Prints the coverage of results. */
export async function coverage(path: string, options: CoverageOptions, io: Io): Promise<number> {
  const stored = await readResultsAt(path, io)
  if (!stored.ok) return stored.error
  const found = coverageOf({ attacks: stored.value.results.targets.flatMap(({ attacks }) => attacks) })
  io.stdout.write(options.json ? jsonText(found) : renderCoverage(found, coloursFor(io, 'stdout')))
  return exitCodes.ok
}
