/** `joust report DIR… --format …`: converts results to reports. */
import { relative, resolve } from 'node:path'
import { renderBenchmark, suiteNotes } from '@joust/report'
import { type BenchmarkName, sideBySide } from '@joust/report/formats'
import { redactMore } from '@joust/results'
import { loadPackedResults, loadResults, type StoredResults } from '@joust/results/files'
import type { ReportOptions } from '../options/results.ts'
import { readResultsAt } from '../report/read-results.ts'
import { renderReport, writeReports } from '../report/write-reports.ts'
import { readRedactor } from '../run/redaction.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, wrongUsage } from '../terminal/io.ts'

export async function report(paths: readonly string[], options: ReportOptions, io: Io): Promise<number> {
  const formats = options.format
  const [only, ...others] = formats
  if (only === undefined || (others.length > 0 && options.out === undefined))
    return wrongUsage(['multiple formats need an output folder: --out DIR'], io)
  const single = formats.find((format) => !sideBySide.includes(format))
  if (paths.length > 1 && single !== undefined)
    return wrongUsage([`${single} supports only one run; ${sideBySide.join(' and ')} show several side by side`], io)
  const redactor = readRedactor(options.redact, false)
  if (!redactor.ok) return wrongUsage([redactor.error], io)
  // The HTML report passes over the attacks in order; every other output, and redaction, uses them as a whole.
  const isPacked =
    formats.every((format) => format === 'html') && options.as === undefined && options.redact.length === 0
  const stored: StoredResults[] = []
  for (const path of paths) {
    const read = await readResultsAt(path, io, isPacked ? loadPackedResults : loadResults)
    if (!read.ok) return read.error
    const { folder, results } = read.value
    stored.push(options.redact.length === 0 ? read.value : { folder, results: redactMore(results, redactor.value) })
  }
  for (const note of suiteNotes(stored.map(({ results }) => results))) tell(io, note)
  if (options.as !== undefined) return printBenchmark(stored, options.as, io)
  const more = options.redact.length === 0 ? undefined : redactor.value
  if (options.out === undefined) {
    io.stdout.writeData(await renderReport(only, stored, { more }))
    return exitCodes.ok
  }
  const out = resolve(io.cwd, options.out)
  const written = await writeReports(stored, formats, out, io, { more })
  for (const path of written) tell(io, relative(io.cwd, path) || path)
  return written.length === formats.length ? exitCodes.ok : exitCodes.failure
}

function printBenchmark(stored: readonly StoredResults[], benchmark: BenchmarkName, io: Io): number {
  const results = stored.map((one) => one.results)
  const text = renderBenchmark(results, benchmark)
  if (!text.ok) return wrongUsage([text.error], io)
  io.stdout.writeData(text.value)
  return exitCodes.ok
}
