import { type FileReport, isTranslation } from '../input/file-report.ts'

/** What is not in the words of the specification is an error to those who want nothing else. */
export function dialectsAsErrors(report: FileReport): FileReport {
  const diagnostics = report.diagnostics.map((found) =>
    isTranslation(found) ? { ...found, severity: 'error' as const } : found,
  )
  return { ...report, diagnostics }
}
