import { type Diagnostic, formatPath, sortByPosition } from '@joust/source'
import { locate, suggestionOf } from '../rules/run.ts'
import type { LintContext } from './context.ts'
import type { LintRow } from './rule.ts'

export function runLint(rows: readonly LintRow[], context: LintContext | undefined): Diagnostic[] {
  if (context === undefined) return []
  const diagnostics: Diagnostic[] = []
  for (const row of rows) {
    row.check(context, (path, message, options) => {
      diagnostics.push({
        severity: row.level,
        code: row.code,
        spec_ref: row.section,
        message,
        ...suggestionOf(options),
        path: options?.spelled ?? formatPath(path),
        ...locate(context.walk, path, options?.at),
      })
    })
  }
  return sortByPosition(diagnostics)
}
