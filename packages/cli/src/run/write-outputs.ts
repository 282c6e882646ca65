/** What comes out of a run: files, results first, then whatever else is wanted, computed from them; and stdout. */
import { type Redacted, type Results, saveResults } from '@joust/arena'
import type { ReportFormat } from '@joust/report/formats'
import { writeReports } from '../report/write-reports.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { PreparedRun } from './prepare.ts'

/** Writes everything and returns the paths; what could not be written is reported. */
export async function writeOutputs(
  results: Redacted<Results>,
  folder: string,
  formats: readonly ReportFormat[],
  io: Io,
): Promise<string[]> {
  const saved = saveResults(folder, results)
  if (!saved.ok) {
    tell(io, saved.error.message)
    return []
  }
  const others = formats.filter((format) => format !== 'json')
  return [saved.value, ...(await writeReports([{ results, folder }], others, folder, io))]
}

/** The same world; where an actor speaks over stdout, results go to stderr. */
export function besideActors({ targets }: PreparedRun, io: Io): Io {
  const isTaken = targets.some(({ given }) => Object.values(given.options.listen).includes('stdio'))
  return isTaken ? { ...io, stdout: io.stderr } : io
}
