import {
  checkShape,
  type Diagnostic,
  defaultLimits,
  formatPath,
  isRecord,
  type Limits,
  sortByPosition,
  suggestion,
  type Value,
  valueAt,
} from '@joust/source'
import type { Document } from '../model/document.ts'
import type { ParseError, ValidationError, ValidationResult } from '../model/errors.ts'
import { documentShape } from '../model/shapes.ts'
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
 * below a part of the wrong shape, and those that may only follow from it.
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
  const unsure = unsureMappings(document)
  const needs = new Map(rows.map(({ code, needsShape }) => [code, needsShape]))
  const isNew = ({ code, path = '' }: Diagnostic) => {
    if (known.has(`${code} ${path}`) || unsure.has(path)) return false
    for (let part = path; part !== ''; part = parentOf(part)) if (wrong.has(part)) return false
    return !mayFollow(path, needs.get(code), unsure, document)
  }
  const { errors, warnings } = runRules(rows, document, checkers, limits)
  return [...errors, ...warnings].filter(isNew)
}

/** Paths of mappings that may lack a part: one of their keys is unknown, or has a value of the wrong type. */
function unsureMappings(document: Document): ReadonlySet<string> {
  // A document is a plain value.
  const value = document as unknown as Value
  const faults = checkShape(value, documentShape).filter(
    ({ kind, path }) => kind === 'type_mismatch' && valueAt(value, path) !== undefined,
  )
  return new Set(faults.map(({ path }) => formatPath(path.slice(0, -1))))
}

const EXECUTION = 'attack.execution'

/** Whether a finding may only follow from a wrong key where its rule looks for parts. */
function mayFollow(
  path: string,
  needs: RuleRow['needsShape'],
  unsure: ReadonlySet<string>,
  document: Document,
): boolean {
  if (needs === undefined) return false
  if (unsure.has(parentOf(path))) return true
  if (needs === 'here') return false
  if (unsure.has(EXECUTION) || !isRecord(document.attack?.execution)) return true
  return needs === 'execution' && [...unsure].some((mapping) => mapping.startsWith(`${EXECUTION}.`))
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
