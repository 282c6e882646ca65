/** The formats of reports, and the files that hold them. */
export const reportFiles = {
  html: 'report.html',
  json: 'results.json',
  junit: 'junit.xml',
  sarif: 'results.sarif',
  md: 'summary.md',
  github: 'annotations.txt',
} as const

export type ReportFormat = keyof typeof reportFiles

// The keys of our own table.
export const reportFormats = Object.keys(reportFiles) as readonly ReportFormat[]

/** Those that can show several results side by side. */
export const sideBySide: readonly ReportFormat[] = ['html', 'md']
