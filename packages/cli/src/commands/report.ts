/** `joust report DIR… --format …` */
import { relative, resolve } from 'node:path'
import { createRedactor, redactMore, type StoredResults } from '@joust/arena'
import { printable } from '@joust/source'
import { suiteNotes } from '../render/suite-notes.ts'
import { readFormats, sideBySide } from '../report/formats.ts'
import { readResultsAt } from '../report/read-results.ts'
import { renderReport } from '../report/render-report.ts'
import { writeReports } from '../report/write-reports.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

export interface ReportOptions {
  readonly format: string
  readonly out?: string
  readonly redact?: readonly string[]
}

/** Prints a report, or writes several to a folder. */
export async function report(words: readonly string[], options: ReportOptions, io: Io): Promise<number> {
  const formats = readFormats('--format', options.format)
  if (typeof formats === 'string') return wrongUsage([formats], io)
  const [only, ...others] = formats
  if (only === undefined || (others.length > 0 && options.out === undefined))
    return wrongUsage(['several formats need a folder: --out DIR'], io)
  const single = formats.find((format) => !sideBySide.includes(format))
  if (words.length > 1 && single !== undefined)
    return wrongUsage([`${single} is about one run; ${sideBySide.join(' and ')} show several side by side`], io)
  const redactor = createRedactor({ patterns: options.redact ?? [], shapes: false })
  if (!redactor.ok)
    return wrongUsage(
      redactor.error.map(({ message }) => `--redact ${message}`),
      io,
    )
  const stored: StoredResults[] = []
  for (const word of words) {
    const read = await readResultsAt(word, io)
    if (!read.ok) return read.error
    const { folder, results } = read.value
    stored.push(options.redact === undefined ? read.value : { folder, results: redactMore(results, redactor.value) })
  }
  for (const note of suiteNotes(stored.map(({ results }) => results))) io.stderr.write(`joust: ${note}\n`)
  const more = options.redact === undefined ? undefined : redactor.value
  if (options.out === undefined) {
    io.stdout.write(await renderReport(only, stored, more))
    return exitCodes.ok
  }
  const out = resolve(io.cwd, options.out)
  const written = await writeReports(stored, formats, out, io, more)
  for (const path of written) io.stderr.write(`joust: ${printable(relative(io.cwd, path) || path)}\n`)
  return written.length === formats.length ? exitCodes.ok : exitCodes.findings
}
