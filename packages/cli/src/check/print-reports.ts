import { joustVersion } from '@joust/source'
import type { FileReport, Finding } from '../input/file-report.ts'
import type { ValidateOptions } from '../options/documents.ts'
import { summarize, summaryLine } from '../render/summary.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'

interface PrintOptions extends Pick<ValidateOptions, 'format' | 'quiet'> {
  readonly failOnWarnings: boolean
}

/** Prints all findings; returns 1 for an error, or for a warning with `failOnWarnings`. */
export async function printReports(reports: readonly FileReport[], options: PrintOptions, io: Io): Promise<number> {
  const text = await render(visible(reports, options), options.format, io)
  if (options.format === 'text') io.stdout.write(text)
  else io.stdout.writeData(text)
  const summary = summarize(reports)
  if (!options.quiet && summary.files > 0) {
    io.stderr.write(`${summaryLine(summary)}\n`)
    if (options.format === 'text') io.stderr.write(hint(reports))
  }
  const fails = reports.some(({ diagnostics }) => diagnostics.some((found) => failing(found, options)))
  return fails ? exitCodes.findings : exitCodes.ok
}

function failing({ severity, level }: Finding, { failOnWarnings }: PrintOptions): boolean {
  return severity === 'error' || (failOnWarnings && level !== 'info')
}

/** Returns the findings to print. With `--quiet`, text output has only failing findings; other formats have all. */
function visible(reports: readonly FileReport[], options: PrintOptions): readonly FileReport[] {
  if (options.format !== 'text' || !options.quiet) return reports
  return reports.map(({ note: _, ...report }) => ({
    ...report,
    diagnostics: report.diagnostics.filter((found) => failing(found, options)),
  }))
}

async function render(reports: readonly FileReport[], format: ValidateOptions['format'], io: Io): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../render/json.ts')).renderJson(reports)
    case 'sarif':
      return renderSarif(reports)
    case 'github':
      return (await import('@joust/report/findings')).renderFindingsGithub(reports)
    case 'text':
      return renderForPeople(reports, io)
  }
}

async function renderSarif(reports: readonly FileReport[]): Promise<string> {
  const { renderFindingsSarif } = await import('@joust/report/findings')
  const { findingSummaries } = await import('../render/finding-summaries.ts')
  return renderFindingsSarif(reports, { version: joustVersion, summaries: findingSummaries })
}

async function renderForPeople(reports: readonly FileReport[], io: Io): Promise<string> {
  if (reports.every(({ diagnostics, note }) => diagnostics.length === 0 && note === undefined)) return ''
  const { renderText } = await import('../render/text.ts')
  const { coloursFor } = await import('../terminal/colours.ts')
  return renderText(reports, coloursFor(io, 'stdout'))
}

function hint(reports: readonly FileReport[]): string {
  const codes = reports.flatMap((report) => report.diagnostics.map((found) => found.code))
  const rule = codes.find((code) => /^[VWL]-\d{3}$/.test(code))
  return rule === undefined ? '' : `for more about ${rule}: joust explain ${rule}\n`
}
