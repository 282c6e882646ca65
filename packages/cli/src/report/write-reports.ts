/** Reports as files. */
import { join } from 'node:path'
import type { Redactor, StoredResults } from '@joust/arena'
import { type ReportFormat, reportFormats } from '@joust/report/formats'
import { printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { renderReport } from './render-report.ts'
import { writeOwn } from './write-own.ts'

/** Writes reports on results, side by side, and gives their paths; what could not be written is told. */
export async function writeReports(
  stored: readonly StoredResults[],
  formats: readonly ReportFormat[],
  out: string,
  io: Io,
  more?: Redactor,
): Promise<string[]> {
  const written: string[] = []
  for (const format of formats) {
    const path = join(out, reportFormats[format].file)
    const text = await renderReport(format, stored, more)
    try {
      writeOwn(out, reportFormats[format].file, text)
      written.push(path)
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      io.stderr.write(`joust: ${printable(path)} cannot be written: ${printable(reason)}\n`)
    }
  }
  return written
}
