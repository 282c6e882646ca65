import {
  checkShape,
  type Diagnostic,
  formatPath,
  isRecord,
  own,
  sortByPosition,
  suggestion,
  type Value,
  valueAt,
} from '@joust/source'
import { documentShape } from '../model/document.ts'
import type { ParseError, ValidationError, ValidationResult } from '../model/errors.ts'
import type { Walk } from '../walk/walk.ts'
import type { Report, ReportOptions, RuleRow } from './rule.ts'
import type { Syntax } from './syntax.ts'

export function runRules(rows: readonly RuleRow[], walk: Walk, syntax: Syntax): ValidationResult {
  const errors: ValidationError[] = []
  const warnings: Diagnostic[] = []
  for (const row of rows) {
    const report: Report = (path, message, options) => {
      const finding = {
        code: row.code,
        spec_ref: row.section,
        message,
        ...suggestionOf(options),
        path: options?.spelled ?? formatPath(path),
        ...locate(walk, path, options?.at),
      }
      if (row.level === 'error') errors.push({ severity: 'error', rule: row.code, ...finding })
      else warnings.push({ severity: 'warning', ...finding })
    }
    row.check(walk, report, syntax)
  }
  return { errors: sortByPosition(errors), warnings: sortByPosition(warnings) }
}

/**
 * Runs rules on a document of the wrong shape, so that the author sees all errors together. Drops findings at or below
 * a malformed value, and findings that such a value may have caused.
 */
export function runRulesOnMisshapen(
  faults: readonly ParseError[],
  rows: readonly RuleRow[],
  walk: Walk,
  syntax: Syntax,
): (ValidationError | Diagnostic)[] {
  const reported = new Set(faults.map(({ code, path }) => `${code} ${path}`))
  // YAML syntax that OATF forbids does not change the shape.
  const wrong = new Set(faults.flatMap(({ kind, path = '' }) => (kind === 'syntax' ? [] : [path])))
  const wrongKeys = wrongKeysOf(walk.document)
  const uncertain = new Set(wrongKeys.map(({ mapping }) => mapping))
  const needs = new Map(rows.map(({ code, needsShape }) => [code, needsShape]))
  const isNew = ({ code, path = '' }: Diagnostic) => {
    if (reported.has(`${code} ${path}`) || uncertain.has(path)) return false
    for (let part = path; part !== ''; part = parentOf(part)) if (wrong.has(part)) return false
    return !mayBeCaused(path, needs.get(code), wrongKeys, walk)
  }
  const { errors, warnings } = runRules(rows, walk, syntax)
  return [...errors, ...warnings].filter(isNew)
}

/** A key that is unknown or has a value of the wrong type, so that a required key may appear to be missing. */
interface WrongKey {
  readonly mapping: string
  readonly inside: Value | undefined
  /** The key that was probably meant; undefined if uncertain, empty for a list item. */
  readonly key: string | undefined
}

function wrongKeysOf(value: Value): readonly WrongKey[] {
  return checkShape(value, documentShape)
    .filter(({ kind, path }) => kind === 'type_mismatch' && valueAt(value, path) !== undefined)
    .map(({ path, at, meant: correction }) => {
      const last = path.at(-1)
      const key = at === 'key' ? correction : typeof last === 'string' ? last : ''
      const mapping = path.slice(0, -1)
      return { mapping: formatPath(mapping), inside: valueAt(value, mapping), key }
    })
}

const EXECUTION = 'attack.execution'

/** True if a wrong key may have caused a finding. */
function mayBeCaused(
  path: string,
  needs: RuleRow['needsShape'],
  wrongKeys: readonly WrongKey[],
  { attack }: Walk,
): boolean {
  if (needs === undefined) return false
  if (wrongKeys.some(({ mapping }) => mapping === parentOf(path))) return true
  if (needs === 'here') return false
  if (!isRecord(own(attack, 'execution'))) return true
  if (needs === 'form') return wrongKeys.some(({ mapping }) => mapping === EXECUTION)
  return wrongKeys.some((wrong) => needs.some((part) => mayBe(wrong, part, path)))
}

/** True if a wrong key may be a misspelling of a key that a rule needs: `holder.key`, or `.key` near the finding. */
function mayBe({ mapping, inside, key }: WrongKey, part: string, path: string): boolean {
  const [holder = '', name = ''] = part.split('.')
  // If the needed key exists, an unknown key next to it is a misspelling of a different key.
  if (key === undefined && own(inside, name) !== undefined) return false
  if (key !== undefined && key !== '' && key !== name) return false
  const list = mapping.replace(/\[\d+\]$/, '')
  return holder === '' ? list === path.replace(/\[\d+\]$/, '') : list.split('.').at(-1) === holder
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')))
}

/** Creates the suggestion for a finding, to be spread into the finding. */
export function suggestionOf(options: ReportOptions | undefined): Pick<Diagnostic, 'suggestion'> {
  return suggestion(options?.at === 'key' ? 'key' : 'value', options?.correction, options?.part)
}

/** Returns the position of a finding in the text; undefined if the document was built in memory. */
export function locate(
  walk: Walk,
  path: Parameters<typeof formatPath>[0],
  at: 'key' | number | undefined,
): object | undefined {
  if (typeof at === 'number') return walk.source?.position(at)
  return at === 'key' ? walk.source?.locateKey(path) : walk.source?.locate(path)
}
