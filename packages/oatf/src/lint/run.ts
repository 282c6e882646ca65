import { type Diagnostic, formatPath, type Limits, sortByPosition } from '@joust/source'
import type { Document } from '../model/document.ts'
import { oatfLimits } from '../model/limits.ts'
import { locate, suggested } from '../rules/run.ts'
import { syntaxOf } from '../rules/syntax.ts'
import { walkDocument } from '../rules/walk.ts'
import { type CelTools, contextOf, type LintContext } from './context.ts'
import type { LintRow } from './rule.ts'

/** Runs lint rules over a document and returns every finding, sorted by position. */
export function runLint(
  rows: readonly LintRow[],
  document: Document,
  cel: CelTools | undefined,
  limits: Limits,
): Diagnostic[] {
  const context = lintContext(document, cel, limits)
  if (context === undefined) return []
  const found: Diagnostic[] = []
  for (const row of rows) {
    row.check(context, (path, message, options) => {
      found.push({
        severity: row.level,
        code: row.code,
        spec_ref: row.section,
        message,
        ...suggested(options),
        path: options?.spelled ?? formatPath(path),
        ...locate(context.walk, path, options?.at),
      })
    })
  }
  return sortByPosition(found)
}

/** What lint knows about a document; undefined for one with more than `lintParts`. */
export function lintContext(document: Document, cel: CelTools | undefined, limits: Limits): LintContext | undefined {
  if (!isBounded(document)) return undefined
  const walk = walkDocument(document, syntaxOf({ cel: () => undefined, jsonPath: () => undefined }, limits))
  const large = [walk.actors, walk.phases, walk.indicators].some((parts) => parts.length > oatfLimits.lintParts)
  return large ? undefined : contextOf(walk, cel, limits)
}

/** Whether a value that was built in memory is a tree of bounded size that does not contain itself. */
function isBounded(value: unknown): boolean {
  const pending: unknown[] = [value]
  for (let nodes = 0; pending.length > 0; nodes++) {
    if (nodes > oatfLimits.lintNodes) return false
    const next = pending.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const child of Object.values(next)) pending.push(child)
  }
  return true
}
