/** `joust report DIR --format …` */
import { relative, resolve } from 'node:path'
import { createRedactor } from '@joust/arena'
import { printable } from '@joust/source'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { readFormats } from '../report/formats.ts'
import { readResultsAt } from '../report/read-results.ts'
import { renderReport } from '../report/render-report.ts'
import { writeReports } from '../report/write-reports.ts'
import { wrongUsage } from '../wrong-usage.ts'

export interface ReportOptions {
  readonly format: string
  readonly out?: string
  readonly redact?: readonly string[]
  readonly showSecrets?: boolean
}

/** Prints a report, or writes several to a folder. */
export async function report(word: string, options: ReportOptions, io: Io): Promise<number> {
  const formats = readFormats('--format', options.format)
  if (typeof formats === 'string') return wrongUsage([formats], io)
  const [only, ...others] = formats
  if (only === undefined || (others.length > 0 && options.out === undefined))
    return wrongUsage(['several formats need a folder: --out DIR'], io)
  const redactor = createRedactor({ patterns: options.redact ?? [], shapes: options.showSecrets !== true })
  if (!redactor.ok)
    return wrongUsage(
      redactor.error.map(({ message }) => `--redact ${message}`),
      io,
    )
  const stored = await readResultsAt(word, io)
  if (!stored.ok) return stored.error
  const { results, folder } = stored.value
  if (options.out === undefined) {
    io.stdout.write(await renderReport(only, { results, folder, redactor: redactor.value }))
    return exitCodes.ok
  }
  const out = resolve(io.cwd, options.out)
  const written = await writeReports(results, folder, formats, io, { out, redactor: redactor.value })
  for (const path of written) io.stderr.write(`joust: ${printable(relative(io.cwd, path) || path)}\n`)
  return written.length === formats.length ? exitCodes.ok : exitCodes.findings
}
