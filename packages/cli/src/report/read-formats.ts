import { isReportFormat, type ReportFormat, reportFormatNames } from '@joust/report/formats'

/** The formats that a word lists, separated by commas, each once; or what is wrong with it. */
export function readFormats(option: string, word: string): readonly ReportFormat[] | string {
  const words = word.split(',').map((format) => format.trim())
  const wrong = words.find((format) => !isReportFormat(format))
  if (wrong !== undefined)
    return `${option} wants ${reportFormatNames.join(', ')}, separated by commas; there is no "${wrong}"`
  return [...new Set(words.filter(isReportFormat))]
}
