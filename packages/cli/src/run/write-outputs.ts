/** Writes the output of a run: results, then reports, then stdout. */

import type { ReportFormat } from '@joust/report/formats'
import type { Comparison, Redacted, Results } from '@joust/results'
import { saveResults } from '@joust/results/files'
import { writeReports } from '../report/write-reports.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { PreparedRun } from './prepare.ts'

/** Writes all files and returns their paths; failures are reported. */
export async function writeOutputs(
  results: Redacted<Results>,
  folder: string,
  formats: readonly ReportFormat[],
  io: Io,
  comparison?: Comparison,
): Promise<string[]> {
  const saved = saveResults(folder, results)
  if (!saved.ok) {
    tell(io, saved.error.message)
    return []
  }
  const others = formats.filter((format) => format !== 'json')
  return [saved.value, ...(await writeReports([{ results, folder }], others, folder, io, { comparison }))]
}

/** Redirects output to stderr if an actor uses stdout. */
export function besideActors({ targets }: PreparedRun, io: Io): Io {
  const isTaken = targets.some(({ chosen }) => Object.values(chosen.options.listen).includes('stdio'))
  return isTaken ? { ...io, stdout: io.stderr } : io
}
