/** Findings as SARIF 2.1.0, for code scanning. */
import { type Explanation, explanations } from '@joust/oatf/explain'
import { compareCodePoints, type Diagnostic, messageWithHint } from '@joust/source'
import type { FileReport } from '../input/file-report.ts'
import { agentCodeSummaries } from './agent-codes.ts'
import { artifact, sarifLog } from './sarif-log.ts'

/** One run with the rules that findings refer to, sorted by code, and a result per finding. */
export function renderSarif(reports: readonly FileReport[]): string {
  const codes = [...new Set(reports.flatMap((report) => report.diagnostics.map((found) => found.code)))]
  codes.sort(compareCodePoints)
  const known = new Map(explanations().map((explanation) => [explanation.code, explanation]))
  return sarifLog({
    rules: codes.map((code) => rule(code, known.get(code))),
    notifications: reports.flatMap(notification),
    results: reports.flatMap((report) => report.diagnostics.map((found) => result(report.name, found, codes))),
  })
}

function rule(code: string, known: Explanation | undefined): object {
  if (known === undefined) return { id: code, shortDescription: { text: summaryOf(code) } }
  const level = known.kind === 'rule' ? known.level : 'note'
  return {
    id: code,
    shortDescription: { text: known.summary },
    help: { text: helpText(known) },
    defaultConfiguration: { level },
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

/** A code that is no rule of OATF. Both formats have `type_mismatch`. */
function summaryOf(code: string): string {
  const summaries: { readonly [code: string]: string } = { ...agentCodeSummaries, ...plainCodes }
  return summaries[code] ?? code
}

const plainCodes: { readonly [code: string]: string } = {
  syntax: 'The text is not YAML or JSON.',
  type_mismatch: 'A field has a value of the wrong type, or is unknown.',
  unknown_variant: 'A value is not one of those allowed.',
  missing: 'The file is not there.',
  unreadable: 'The file cannot be read.',
  'too-large': 'The file is over the size limit.',
  binary: 'The file is not text.',
  'not-utf-8': 'The file is not UTF-8.',
  'agent-format': 'An Agent Format file, where only OATF documents are wanted.',
  'not-oatf': 'The file is no document.',
  'not-agent-format': 'The file is no Agent Format document.',
}

function result(name: string, found: Diagnostic, codes: readonly string[]): object {
  const { path } = found
  return {
    ruleId: found.code,
    ruleIndex: codes.indexOf(found.code),
    level: found.severity,
    message: { text: messageWithHint(found) },
    locations: [
      {
        physicalLocation: { artifactLocation: artifact(name), ...region(found) },
        ...(path === undefined || path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: path }] }),
      },
    ],
  }
}

function region({ line, column, end_column }: Diagnostic): object {
  if (line === undefined) return {}
  const start = { startLine: line, ...(column === undefined ? {} : { startColumn: column }) }
  return { region: end_column === undefined ? start : { ...start, endColumn: end_column } }
}

function notification({ name, note }: FileReport): object[] {
  if (note === undefined) return []
  return [
    { level: 'note', message: { text: note }, locations: [{ physicalLocation: { artifactLocation: artifact(name) } }] },
  ]
}
