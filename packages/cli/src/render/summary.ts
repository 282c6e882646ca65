import { count } from '@joust/source'
import { type FileReport, isError } from '../input/file-report.ts'

export function summarize(reports: readonly FileReport[]) {
  const diagnostics = reports.flatMap((report) => report.diagnostics)
  const errors = diagnostics.filter(isError).length
  const not_checked = reports.filter((report) => report.note !== undefined).length
  return { files: reports.length - not_checked, errors, warnings: diagnostics.length - errors, not_checked }
}

/** Returns a line such as `3 files, 2 errors, 1 warning`. */
export function summaryLine({ files, errors, warnings, not_checked }: ReturnType<typeof summarize>): string {
  const parts = [count(files, 'file'), count(errors, 'error'), count(warnings, 'warning')]
  return [...parts, ...(not_checked === 0 ? [] : [`${not_checked} not checked`])].join(', ')
}
