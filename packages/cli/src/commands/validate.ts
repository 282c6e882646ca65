/** `joust validate PATH…`: checks documents and agent files. */
import { checkAll, dialectsAsErrors } from '../check/check-documents.ts'
import { printReports } from '../check/print-reports.ts'
import { discoverAttacks } from '../input/discover.ts'
import type { ValidateOptions } from '../options/documents.ts'
import { summarize } from '../render/summary.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

/** Prints all findings of all documents; returns 1 for an error, or with `strict` for a warning. */
export async function validate(paths: readonly string[], options: ValidateOptions, io: Io): Promise<number> {
  const files = await discoverAttacks(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const checked = await checkAll(files.value, io, {
    strict: options.strict,
    findingsOnly: true,
    projectFaults: async (source) => (await import('../project/read.ts')).projectFaults(source, io),
  })
  const reports = options.strict ? checked.map(dialectsAsErrors) : checked
  const code = await printReports(reports, { ...options, failOnWarnings: options.strict }, io)
  return summarize(reports).files === 0 ? wrongUsage([`no document in ${paths.join(' ')}`], io) : code
}
