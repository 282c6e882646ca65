/** Findings in documents, in the formats of GitHub Actions and of code scanning. Loads nothing that judges. */
import { type Explanation, explanations } from '@joust/oatf/explain'
import { compareCodePoints, type Diagnostic, messageWithHint } from '@joust/source'
import { type SarifResult, type SarifRule, sarifLog } from './syntax/sarif-log.ts'
import { workflowCommand } from './syntax/workflow-command.ts'

/** What was found in one file. */
export interface FileFindings {
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
  /** Why the file was not checked. */
  readonly note?: string
}

/**
 * Workflow commands, which GitHub shows beside the line: an `::error …::message` or `::warning …` per finding, a
 * `::notice` for files that were not checked.
 */
export function renderFindingsGithub(files: readonly FileFindings[]): string {
  return files
    .flatMap(({ name, diagnostics, note }) => [
      ...diagnostics.map((found) => workflowCommand(found.severity, properties(name, found), messageWithHint(found))),
      ...(note === undefined ? [] : [workflowCommand('notice', { file: name, title: 'not checked' }, note)]),
    ])
    .join('')
}

function properties(file: string, { line, column, end_column, code }: Diagnostic) {
  return { file, line, col: column, endColumn: end_column, title: code }
}

/** What the log says besides the findings. */
export interface FindingsSarifOptions {
  /** The version of the program that found them. */
  readonly version: string
  /** A sentence for each code that is not a rule of OATF. */
  readonly summaries: ReadonlyMap<string, string>
}

/** SARIF 2.1.0: one run with the rules that findings refer to, sorted by code, and a result per finding. */
export function renderFindingsSarif(
  files: readonly FileFindings[],
  { version, summaries }: FindingsSarifOptions,
): string {
  const codes = [...new Set(files.flatMap((file) => file.diagnostics.map((found) => found.code)))]
  codes.sort(compareCodePoints)
  const known = new Map(explanations().map((explanation) => [explanation.code, explanation]))
  return sarifLog({
    version,
    rules: codes.map((code) => ruleOf(known.get(code)) ?? { id: code, summary: summaries.get(code) ?? code }),
    notifications: files.flatMap(({ name, note }) =>
      note === undefined ? [] : [{ level: 'note', message: note, place: { file: name } }],
    ),
    results: files.flatMap(({ name, diagnostics }) => diagnostics.map((found) => resultOf(name, found))),
  })
}

function ruleOf(known: Explanation | undefined): SarifRule | undefined {
  if (known === undefined) return undefined
  return {
    id: known.code,
    summary: known.summary,
    help: helpText(known),
    level: known.kind === 'rule' ? known.level : 'note',
    properties: { section: known.section },
  }
}

function helpText(known: Explanation): string {
  const parts = [known.summary, `Specification: ${known.section}.`]
  if (known.kind === 'rule' && known.example !== undefined) {
    parts.push(`Good:\n${known.example.good.trim()}`, `Bad (at ${known.example.path}):\n${known.example.bad.trim()}`)
  }
  return parts.join('\n\n')
}

function resultOf(file: string, found: Diagnostic): SarifResult {
  const { code, severity, message, line, column, end_column, path } = found
  return { rule: code, level: severity, message, place: { file, line, column, endColumn: end_column, path } }
}
