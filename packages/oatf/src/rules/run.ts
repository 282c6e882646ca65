import { type Diagnostic, defaultLimits, formatPath, type Limits, sortByPosition, suggestion } from '@joust/source'
import type { Document } from '../model/document.ts'
import type { ValidationError, ValidationResult } from '../model/errors.ts'
import type { ReportOptions, RuleRow } from './rule.ts'
import { type SyntaxCheckers, syntaxOf } from './syntax.ts'
import { type Walk, walkDocument } from './walk.ts'

/** Runs rules over a document and returns every finding, sorted by position. */
export function runRules(
  rows: readonly RuleRow[],
  document: Document,
  checkers: SyntaxCheckers,
  limits: Limits = defaultLimits,
): ValidationResult {
  const walk = walkDocument(document, syntaxOf(checkers, limits))
  const errors: ValidationError[] = []
  const warnings: Diagnostic[] = []
  for (const row of rows) {
    row.check(walk, (path, message, options) => {
      const found = {
        code: row.code,
        spec_ref: row.section,
        message,
        ...suggested(options),
        path: options?.spelled ?? formatPath(path),
        ...locate(walk, path, options?.at),
      }
      if (row.level === 'error') errors.push({ severity: 'error', rule: row.code, ...found })
      else warnings.push({ severity: 'warning', ...found })
    })
  }
  return { errors: sortByPosition(errors), warnings: sortByPosition(warnings) }
}

/** What a finding suggests, to be spread into it. */
export function suggested(options: ReportOptions | undefined): Pick<Diagnostic, 'suggestion'> {
  return suggestion(options?.at === 'key' ? 'key' : 'value', options?.meant, options?.part)
}

/** Where in the text a finding is; nothing for a document that was built in memory. */
export function locate(
  walk: Walk,
  path: Parameters<typeof formatPath>[0],
  at: 'key' | number | undefined,
): object | undefined {
  if (typeof at === 'number') return walk.source?.position(at)
  return at === 'key' ? walk.source?.locateKey(path) : walk.source?.locate(path)
}
