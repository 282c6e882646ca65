/** `joust lint PATH…` */
import { isTranslation, lintOnDemand } from '@joust/oatf/on-demand'
import { sortByPosition } from '@joust/source'
import { checkAll, dialectsAsErrors } from '../check/check-documents.ts'
import { printReports } from '../check/print-reports.ts'
import { discoverAttacks } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import type { LintOptions } from '../options/documents.ts'
import { summarize } from '../render/summary.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

const NO_AGENTS = 'this is an Agent Format file; lint is for OATF documents'

/** Prints what is legal but will not work; 1 when there is an error, or more warnings than allowed. */
export async function lint(paths: readonly string[], options: LintOptions, io: Io): Promise<number> {
  const files = await discoverAttacks(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const checked = await checkAll(files.value, io, { withoutAgents: NO_AGENTS, strict: options.strict })
  const found = await Promise.all(checked.map(linted))
  const reports = options.strict ? found.map(dialectsAsErrors) : found
  const { files: documents, warnings } = summarize(reports)
  const { maxWarnings = Number.POSITIVE_INFINITY } = options
  const code = await printReports(reports, { ...options, failOnWarnings: warnings > maxWarnings }, io)
  const invalid = reports.filter(({ attack, format, note }) => attack === undefined && format === 'oatf' && !note)
  if (invalid.length > 0 && !options.quiet) io.stderr.write(`${refusal(invalid.length)}\n`)
  return documents === 0 ? wrongUsage([`no document in ${paths.join(' ')}`], io) : code
}

/** Only lint findings and translations: the warnings of a valid document are up to `validate`. */
async function linted(report: FileReport): Promise<FileReport> {
  if (report.attack !== undefined) {
    const found = [...report.diagnostics.filter(isTranslation), ...(await lintOnDemand(report.attack.written))]
    return { ...report, diagnostics: sortByPosition(found) }
  }
  return { ...report, diagnostics: report.diagnostics.filter(isError) }
}

function refusal(files: number): string {
  return `${files} not linted: lint needs ${files === 1 ? 'a valid document' : 'valid documents'}`
}
