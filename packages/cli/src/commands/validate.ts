/** `joust validate PATH…` */
import { checkAll, type FileReport } from '../check-documents.ts'
import { exitCodes } from '../exit-codes.ts'
import type { OutputFormat } from '../formats.ts'
import { discover } from '../input/discover.ts'
import type { Io } from '../io.ts'
import { summarize, summaryLine } from '../render/summary.ts'
import { wrongUsage } from '../wrong-usage.ts'

export interface ValidateOptions {
  readonly format: OutputFormat
  readonly quiet?: boolean
  readonly strict?: boolean
}

/** Prints every finding of every document; 1 when there is an error, or with `strict` a warning. */
export async function validate(words: readonly string[], options: ValidateOptions, io: Io): Promise<number> {
  const files = await discover(words, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const reports = await checkAll(files.value, io)
  const { errors, warnings, files: checked } = summarize(reports)
  io.stdout.write(await render(visible(reports, options), options.format, io))
  if (checked === 0) return wrongUsage([`no OATF document in ${words.join(' ')}`], io)
  if (!options.quiet) {
    io.stderr.write(`${summaryLine(summarize(reports))}\n`)
    if (options.format === 'text') io.stderr.write(hint(reports))
  }
  return errors > 0 || (options.strict === true && warnings > 0) ? exitCodes.findings : exitCodes.ok
}

/** Programs get everything; people who asked for quiet get what makes the command fail. */
function visible(reports: readonly FileReport[], { format, quiet, strict }: ValidateOptions): readonly FileReport[] {
  if (format !== 'text' || !quiet) return reports
  return reports.map(({ note: _, ...report }) => ({
    ...report,
    diagnostics: report.diagnostics.filter((found) => strict || found.severity === 'error'),
  }))
}

async function render(reports: readonly FileReport[], format: OutputFormat, io: Io): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../render/json.ts')).renderJson(reports)
    case 'sarif':
      return (await import('../render/sarif.ts')).renderSarif(reports)
    case 'github':
      return (await import('../render/github.ts')).renderGithub(reports)
    case 'text':
      return renderForPeople(reports, io)
  }
}

async function renderForPeople(reports: readonly FileReport[], io: Io): Promise<string> {
  if (reports.every(({ diagnostics, note }) => diagnostics.length === 0 && note === undefined)) return ''
  const { renderText } = await import('../render/text.ts')
  const { coloursFor } = await import('../render/colours.ts')
  return renderText(reports, coloursFor(io, 'stdout'))
}

function hint(reports: readonly FileReport[]): string {
  const codes = reports.flatMap((report) => report.diagnostics.map((found) => found.code))
  const rule = codes.find((code) => /^[VW]-\d{3}$/.test(code))
  return rule === undefined ? '' : `joust explain ${rule} says more\n`
}
