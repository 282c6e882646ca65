/** Reports as files. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor, type Redactor, type Results, type StoredResults } from '@joust/arena'
import { type ReportFormat, reportFormats } from '@joust/report/formats'
import { invariant, printable } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { renderReport } from './render-report.ts'

/** What may be told about reports. */
export interface WriteOptions {
  /** Where they go; beside the results, if nothing is said. */
  readonly out?: string
  /** What is hidden; secrets of known shapes, if nothing is said. */
  readonly redactor?: Redactor
}

/** Writes reports on the results of a folder and gives their paths; what could not be written is told. */
export async function writeReports(
  results: Results,
  folder: string,
  formats: readonly ReportFormat[],
  io: Io,
  { out = folder, redactor = knownShapes() }: WriteOptions = {},
): Promise<string[]> {
  return writeReportsOn([{ results, folder }], formats, io, { out, redactor })
}

/** The same on several results side by side. */
export async function writeReportsOn(
  stored: readonly StoredResults[],
  formats: readonly ReportFormat[],
  io: Io,
  { out, redactor }: Required<WriteOptions>,
): Promise<string[]> {
  const written: string[] = []
  for (const format of formats) {
    const path = join(out, reportFormats[format].file)
    const text = await renderReport(format, stored, redactor)
    try {
      mkdirSync(out, { recursive: true })
      writeFileSync(path, text)
      written.push(path)
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      io.stderr.write(`joust: ${printable(path)} cannot be written: ${printable(reason)}\n`)
    }
  }
  return written
}

function knownShapes(): Redactor {
  const made = createRedactor()
  invariant(made.ok, 'no patterns, no faults')
  return made.value
}
