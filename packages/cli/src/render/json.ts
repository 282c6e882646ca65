/** Findings for programs. The shape is a promise: fields are added, never changed, unless `version` changes. */
import { jsonText } from '@joust/source'
import type { FileReport, Finding } from '../input/file-report.ts'
import type { Format } from '../input/format-of.ts'
import { version } from '../terminal/assets.ts'
import { type Summary, summarize } from './summary.ts'

/** What `joust validate --format json` prints. */
interface JsonReport {
  readonly version: 1
  /** The version of the program. */
  readonly joust: string
  readonly files: readonly JsonFile[]
  readonly summary: Summary
}

/** One file; `note` says why it was not checked. */
interface JsonFile {
  readonly file: string
  readonly format: Format
  readonly valid: boolean
  readonly diagnostics: readonly Finding[]
  readonly note?: string
}

/** The report as JSON text. */
export function renderJson(reports: readonly FileReport[]): string {
  const report: JsonReport = { version: 1, joust: version(), files: reports.map(jsonFile), summary: summarize(reports) }
  return jsonText(report)
}

function jsonFile({ name, format, diagnostics, note }: FileReport): JsonFile {
  // What lint calls an error is still legal.
  const valid =
    note === undefined && diagnostics.every(({ severity, code }) => severity !== 'error' || /^L-/.test(code))
  const file = { file: name, format, valid, diagnostics }
  return note === undefined ? file : { ...file, note }
}
