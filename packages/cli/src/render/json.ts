/** Findings as JSON. The format is stable: fields are only added unless `version` changes. */
import { defined, joustVersion, jsonText } from '@joust/source'
import type { FileReport } from '../input/file-report.ts'
import { summarize } from './summary.ts'

/** Renders the output of `joust validate --format json`; `joust` is the version of the program. */
export function renderJson(reports: readonly FileReport[]): string {
  return jsonText({ version: 1, joust: joustVersion, files: reports.map(jsonFile), summary: summarize(reports) })
}

/** Renders a report. `note` is the reason why the file was not checked. */
function jsonFile({ name: file, format, diagnostics, note }: FileReport) {
  // A document with lint errors is still valid.
  const valid =
    note === undefined && diagnostics.every(({ severity, code }) => severity !== 'error' || /^L-/.test(code))
  return defined({ file, format, valid, diagnostics, note })
}
