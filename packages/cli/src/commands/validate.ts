/** `joust validate PATH…` */
import { checkAll } from '../check/check-documents.ts'
import { type PrintOptions, printReports } from '../check/print-reports.ts'
import { discover } from '../input/discover.ts'
import { summarize } from '../render/summary.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** Prints every finding of every document; 1 when there is an error, or with `strict` a warning. */
export async function validate(words: readonly string[], options: PrintOptions, io: Io): Promise<number> {
  const files = await discover(words, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const reports = await checkAll(files.value, io, { strict: options.strict === true })
  const code = await printReports(reports, options, io)
  return summarize(reports).files === 0 ? wrongUsage([`no document in ${words.join(' ')}`], io) : code
}
