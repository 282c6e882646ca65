import { type Diagnostic, defaultLimits, formatPath, type Limits, sortByPosition, suggestion } from '@joust/source'
import type { Document } from '../model/document.ts'
import type { ParseError, ValidationError, ValidationResult } from '../model/errors.ts'
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

/**
 * Findings beside those about the shape of a document, so that an author sees both at once. Left out are findings at or
 * below a part of the wrong shape, and about the mapping that holds it.
 */
export function runRulesBeside(
  faults: readonly ParseError[],
  rows: readonly RuleRow[],
  document: Document,
  checkers: SyntaxCheckers,
  limits: Limits,
): (ValidationError | Diagnostic)[] {
  const known = new Set(faults.map(({ code, path }) => `${code} ${path}`))
  // Syntax that YAML allows and OATF does not changes no shape.
  const wrong = new Set(faults.flatMap(({ kind, path = '' }) => (kind === 'syntax' ? [] : [path])))
  const holders = new Set([...wrong].map(parentOf))
  const isNew = ({ code, path = '' }: Diagnostic) => {
    if (known.has(`${code} ${path}`) || holders.has(path)) return false
    for (let part = path; part !== ''; part = parentOf(part)) if (wrong.has(part)) return false
    return true
  }
  const local = rows.filter(({ needsShape }) => needsShape !== true)
  const { errors, warnings } = runRules(local, document, checkers, limits)
  return [...errors, ...warnings].filter(isNew)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')))
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
