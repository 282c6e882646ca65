/** `joust agent check FILE`: everything that can be known about an agent before it runs. */
import { loadAgentFile } from '../../agent/load-agent-file.ts'
import { readAgentText } from '../../agent/open-agent.ts'
import { printReports } from '../../check/print-reports.ts'
import type { ValidateOptions } from '../../options/documents.ts'
import type { Io } from '../../terminal/io.ts'

/** Prints every finding of the whole graph; 1 when there is an error, or with `strict` a warning. */
export async function check(path: string, options: ValidateOptions, io: Io): Promise<number> {
  const entry = await readAgentText(path, io)
  if (!entry.ok) return entry.error.exitCode
  const { reports } = await loadAgentFile(entry.value, io, options.strict)
  return printReports(reports, { ...options, failOnWarnings: options.strict }, io)
}
