/** `joust lint PATH…` */
import { isTranslation } from '@joust/oatf/on-demand'
import { sortByPosition } from '@joust/source'
import { checkAll, dialectsAsErrors } from '../check/check-documents.ts'
import { printReports } from '../check/print-reports.ts'
import { discoverAttacks } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import type { LintOptions } from '../options/documents.ts'
import { summarize } from '../render/summary.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

const NO_AGENTS = 'this is an agent file; lint is for attack documents'

/** Prints lint findings; returns 1 for an error, or for more warnings than allowed. */
export async function lint(paths: readonly string[], options: LintOptions, io: Io): Promise<number> {
  const files = await discoverAttacks(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const checked = await checkAll(files.value, io, { withoutAgents: NO_AGENTS, strict: options.strict })
  const results = checked.map(linted)
  const reports = options.strict ? results.map(dialectsAsErrors) : results
  const { files: documents, warnings } = summarize(reports)
  const { maxWarnings = Number.POSITIVE_INFINITY } = options
  const code = await printReports(reports, { ...options, failOnWarnings: warnings > maxWarnings }, io)
  const invalid = reports.filter(({ attack, format, note }) => attack === undefined && format === 'oatf' && !note)
  if (invalid.length > 0 && !options.quiet) io.stderr.write(`${refusal(invalid.length)}\n`)
  return documents === 0 ? wrongUsage([`no document in ${paths.join(' ')}`], io) : code
}

/** Only lint findings and translations; other warnings are left to `validate`. */
function linted(report: FileReport): FileReport {
  if (report.attack !== undefined) {
    const findings = [...report.diagnostics.filter(isTranslation), ...report.attack.lint]
    return { ...report, diagnostics: sortByPosition(findings) }
  }
  return { ...report, diagnostics: report.diagnostics.filter(isError) }
}

function refusal(files: number): string {
  return `${files} not linted: lint needs ${files === 1 ? 'a valid document' : 'valid documents'}`
}
