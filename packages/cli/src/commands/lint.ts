/** `joust lint PATH…`: finds mistakes in valid attack documents. */
import { resolve } from 'node:path'
import { isTranslation } from '@joust/oatf/on-demand'
import { sortByPosition } from '@joust/source'
import { checkAll, dialectsAsErrors } from '../check/check-documents.ts'
import { printReports } from '../check/print-reports.ts'
import type { RuleFindings } from '../check/text-rules.ts'
import { discoverAttacks } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import type { LintOptions } from '../options/documents.ts'
import { summarize } from '../render/summary.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

const NO_AGENTS = 'this is an agent file; lint only checks attack documents'

/** Prints lint findings; returns 1 for an error, or for more warnings than allowed. */
export async function lint(paths: readonly string[], options: LintOptions, io: Io): Promise<number> {
  const files = await discoverAttacks(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const checked = await checkAll(files.value, io, { withoutAgents: NO_AGENTS, strict: options.strict })
  const rules = await rulesOf(options, io)
  if (rules?.ok === false) return wrongUsage([rules.error], io)
  const results = checked.map((report) => linted(report, rules?.value))
  const reports = options.strict ? results.map(dialectsAsErrors) : results
  const { files: documents, warnings } = summarize(reports)
  const { maxWarnings = Number.POSITIVE_INFINITY } = options
  const code = await printReports(reports, { ...options, failOnWarnings: warnings > maxWarnings }, io)
  const invalid = reports.filter(({ attack, format, note }) => attack === undefined && format === 'oatf' && !note)
  if (invalid.length > 0 && !options.quiet) io.stderr.write(`${refusal(invalid.length)}\n`)
  return documents === 0 ? wrongUsage([`no document in ${paths.join(' ')}`], io) : code
}

async function rulesOf({ rules }: LintOptions, io: Io) {
  if (rules === undefined) return undefined
  const { readRules } = await import('../check/text-rules.ts')
  return readRules(rules, resolve(io.cwd, rules), io)
}

/** Keeps lint findings and translations. `validate` reports other warnings. */
function linted(report: FileReport, rules: RuleFindings = () => []): FileReport {
  if (report.attack !== undefined) {
    const findings = [...report.diagnostics.filter(isTranslation), ...report.attack.lint, ...rules(report.attack)]
    return { ...report, diagnostics: sortByPosition(findings) }
  }
  return { ...report, diagnostics: report.diagnostics.filter(isError) }
}

function refusal(files: number): string {
  return `${files} not linted: lint needs ${files === 1 ? 'a valid document' : 'valid documents'}`
}
