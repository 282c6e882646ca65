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

/** Whether a word is a format. */
export function isReportFormat(word: string): word is ReportFormat {
  return Object.hasOwn(reportFiles, word)
}

/** The formats that a word lists, separated by commas, each once; or what is wrong with it. */
export function readFormats(option: string, word: string): readonly ReportFormat[] | string {
  const words = word.split(',').map((format) => format.trim())
  const wrong = words.find((format) => !isReportFormat(format))
  if (wrong !== undefined)
    return `${option} wants ${reportFormats.join(', ')}, separated by commas; there is no "${wrong}"`
  return [...new Set(words.filter(isReportFormat))]
}
