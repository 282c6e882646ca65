/** Findings for programs. The shape is a promise: fields are added, never changed, unless `version` changes. */
import { defined, jsonText } from '@joust/source'
import type { FileReport } from '../input/file-report.ts'
import { version } from '../terminal/assets.ts'
import { summarize } from './summary.ts'

/** What `joust validate --format json` prints; `joust` is the version of the program. */
export function renderJson(reports: readonly FileReport[]): string {
  return jsonText({ version: 1, joust: version(), files: reports.map(jsonFile), summary: summarize(reports) })
}

/** One file; `note` says why it was not checked. */
function jsonFile({ name: file, format, diagnostics, note }: FileReport) {
  // What lint calls an error is still legal.
  const valid =
    note === undefined && diagnostics.every(({ severity, code }) => severity !== 'error' || /^L-/.test(code))
  return defined({ file, format, valid, diagnostics, note })
}
