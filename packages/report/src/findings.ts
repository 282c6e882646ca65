/** Reports findings in documents as GitHub Actions annotations or SARIF. Does not load the judge. */
import { type Explanation, explanations } from '@joust/oatf/explain'
import { compareCodePoints, type Diagnostic, messageWithHint } from '@joust/source'
import { type SarifResult, type SarifRule, sarifLog } from './syntax/sarif-log.ts'
import { workflowCommand } from './syntax/workflow-command.ts'

export interface FileFindings {
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
  /** Reason why the file was not checked. */
  readonly note?: string
}

/**
 * Renders workflow commands, which GitHub shows at the line: `::error …::message` or `::warning …` for each finding,
 * and `::notice` for each file that was not checked.
 *
 * @example
 * process.stdout.write(renderFindingsGithub([{ name: 'mine.oatf.yaml', diagnostics: lint(attack.document) }]))
 */
export function renderFindingsGithub(files: readonly FileFindings[]): string {
  return files
    .flatMap(({ name, diagnostics, note }) => [
      ...diagnostics.map((finding) =>
        workflowCommand(finding.severity, properties(name, finding), messageWithHint(finding)),
      ),
      ...(note === undefined ? [] : [workflowCommand('notice', { file: name, title: 'not checked' }, note)]),
    ])
    .join('')
}

function properties(file: string, { line, column, end_column, code }: Diagnostic) {
  return { file, line, col: column, endColumn: end_column, title: code }
}

/** Options for {@link renderFindingsSarif}. */
export interface FindingsSarifOptions {
  readonly version: string
  /** Summaries of codes that are not OATF rules. */
  readonly summaries: ReadonlyMap<string, string>
}

/**
 * Renders a SARIF 2.1.0 log with one run: the referenced rules, sorted by code, and a result per finding.
 *
 * @example
 * const files = [{ name: 'mine.oatf.yaml', diagnostics: lint(attack.document) }]
 * await writeFile('findings.sarif', renderFindingsSarif(files, { version: '1.0.0', summaries: new Map() }))
 */
export function renderFindingsSarif(
  files: readonly FileFindings[],
  { version, summaries }: FindingsSarifOptions,
): string {
  const codes = [...new Set(files.flatMap((file) => file.diagnostics.map(({ code }) => code)))]
  codes.sort(compareCodePoints)
  const rules = new Map(explanations().map((explanation) => [explanation.code, explanation]))
  return sarifLog({
    version,
    rules: codes.map((code) => ruleOf(rules.get(code)) ?? { id: code, summary: summaries.get(code) ?? code }),
    notifications: files.flatMap(({ name, note }) =>
      note === undefined ? [] : [{ level: 'note', message: note, place: { file: name } }],
    ),
    results: files.flatMap(({ name, diagnostics }) => diagnostics.map((finding) => resultOf(name, finding))),
  })
}

function ruleOf(explanation: Explanation | undefined): SarifRule | undefined {
  if (explanation === undefined) return undefined
  return {
    id: explanation.code,
    summary: explanation.summary,
    help: helpText(explanation),
    level: explanation.kind === 'rule' ? explanation.level : 'note',
    properties: { section: explanation.section },
  }
}

function helpText(explanation: Explanation): string {
  const parts = [explanation.summary, `Specification: ${explanation.section}.`]
  if (explanation.kind === 'rule' && explanation.example !== undefined) {
    const { good, bad, path } = explanation.example
    parts.push(`Good:\n${good.trim()}`, `Bad (at ${path}):\n${bad.trim()}`)
  }
  return parts.join('\n\n')
}

function resultOf(file: string, finding: Diagnostic): SarifResult {
  const { code, severity, message, line, column, end_column, path } = finding
  return { rule: code, level: severity, message, place: { file, line, column, endColumn: end_column, path } }
}
