/** Findings as workflow commands of GitHub Actions, which shows them beside the line. */
import { type Diagnostic, messageWithHint } from '@joust/source'
import { workflowCommand } from '../syntax/workflow-command.ts'
import type { FileFindings } from './file-findings.ts'

/** One `::error …::message` or `::warning …` line per finding, `::notice` for files that were not checked. */
export function renderFindingsGithub(files: readonly FileFindings[]): string {
  return files
    .flatMap(({ name, diagnostics, note }) => [
      ...diagnostics.map((found) => workflowCommand(found.severity, properties(name, found), messageWithHint(found))),
      ...(note === undefined ? [] : [workflowCommand('notice', { file: name, title: 'not checked' }, note)]),
    ])
    .join('')
}

function properties(file: string, { line, column, end_column, code }: Diagnostic): Record<string, string> {
  return {
    file,
    ...(line === undefined ? {} : { line: String(line) }),
    ...(column === undefined ? {} : { col: String(column) }),
    ...(end_column === undefined ? {} : { endColumn: String(end_column) }),
    title: code,
  }
}
