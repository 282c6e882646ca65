import type { Diagnostic } from '../model/diagnostic.ts'
import { formatPath, type Path, valueAt } from '../model/path.ts'
import type { Source } from '../model/source.ts'
import { defined, isInteger, isList, isNumeric, isRecord, type Value, type ValueRecord } from '../model/value.ts'
import { type Suggest, suggestion, suggestions } from '../text/suggest.ts'
import { describeValue } from '../values/describe-value.ts'
import { hasForm, isoDate, utcTime } from './iso-date.ts'
import { chosen, type ObjectShape, type Shape } from './shape.ts'

/** A mismatch between a value and its shape, at a key or value. */
export interface ShapeFault {
  readonly kind: 'type_mismatch' | 'unknown_variant'
  readonly path: Path
  readonly at: 'key' | 'value'
  readonly message: string
  /** The likely correction. */
  readonly meant?: string | undefined
  readonly rule?: string
}

/** Checks a value against a shape. Returns at most `most` mismatches. */
export function checkShape(value: Value, shape: Shape, most = Number.POSITIVE_INFINITY): ShapeFault[] {
  const findings: Findings = { faults: [], most, hint: suggestions(), path: [] }
  check(value, shape, undefined, findings)
  return findings.faults.length > most ? findings.faults.slice(0, most) : findings.faults
}

/** Converts a mismatch to a diagnostic with its position in the text. */
export function shapeDiagnostic(source: Source, fault: ShapeFault, code: string): Diagnostic {
  const { path, at, message, meant } = fault
  const location = at === 'key' ? source.locateKey(path) : source.locate(path)
  const value = at === 'key' ? undefined : valueAt(source.value, path)
  const correction = suggestion(at, meant, typeof value === 'string' ? value : undefined)
  return { severity: 'error', code, message, path: formatPath(path), ...location, ...correction }
}

interface Findings {
  readonly faults: ShapeFault[]
  readonly most: number
  readonly hint: Suggest
  readonly path: (string | number)[]
}

function check(value: Value, shape: Shape, rule: string | undefined, findings: Findings): void {
  if (findings.faults.length >= findings.most) return
  if (shape.kind === 'choice') check(value, chosen(shape, value), rule, findings)
  else if (shape.kind === 'some' && !isList(value)) check(value, shape.item, rule, findings)
  else if (shape.kind === 'enumeration') checkEnumeration(value, shape.values, rule, findings)
  else if (shape.kind === 'object' && isRecord(value)) checkObject(value, shape, findings)
  else if (shape.kind === 'map' && isRecord(value)) {
    for (const [key, item] of Object.entries(value)) checkPart(key, item, shape.item, rule, findings)
  } else if ((shape.kind === 'list' || shape.kind === 'some') && isList(value)) {
    for (const [index, item] of value.entries()) checkPart(index, item, shape.item, rule, findings)
  } else {
    const expected = expectation(value, shape)
    if (expected !== undefined) findings.faults.push(mismatch(findings.path, expected, value, rule))
  }
}

function checkPart(key: string | number, value: Value, shape: Shape, rule: string | undefined, findings: Findings) {
  findings.path.push(key)
  check(value, shape, rule, findings)
  findings.path.pop()
}

/** Describes the expected value; undefined if the value matches. */
function expectation(value: Value, shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'value':
      return undefined
    case 'text':
    case 'prose':
      return typeof value === 'string' ? undefined : textHint(value)
    case 'integer':
      return isInteger(value) ? undefined : 'an integer'
    case 'number':
      return isNumeric(value) ? undefined : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'date':
      return hasForm(value, isoDate) ? undefined : 'an ISO 8601 date or date-time such as "2026-02-15"'
    case 'time':
      return hasForm(value, utcTime) ? undefined : 'a time such as "2026-02-15T10:00:00.000Z"'
    case 'count': {
      const { least, words = [] } = shape
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= least
      const isWord = words.some((word) => word === value)
      return fits || isWord ? undefined : [`a whole number of at least ${least}`, ...words].join(' or ')
    }
    case 'exactly':
      return value === shape.value ? undefined : `${shape.value}`
    case 'list':
      return 'a list'
    case 'map':
    case 'object':
      return 'a mapping'
    case 'some':
    case 'choice':
    case 'enumeration':
      return undefined
  }
}

function checkObject(record: ValueRecord, shape: ObjectShape, findings: Findings): void {
  const { path } = findings
  for (const key of Object.keys(record)) {
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined
    if (field !== undefined) checkPart(key, record[key] as Value, field.shape, field.rule, findings)
    else if (shape.others === 'none' || (shape.others === 'extensions' && !key.startsWith('x-')))
      findings.faults.push(unknownField(key, shape, path, findings.hint))
  }
  for (const [name, { required, rule }] of Object.entries(shape.fields)) {
    if (!required || Object.hasOwn(record, name)) continue
    const missing = fault('type_mismatch', [...path, name], `the field "${name}" is required`, rule)
    findings.faults.push({ ...missing, at: 'key' })
  }
}

function unknownField(key: string, shape: ObjectShape, path: Path, suggest: Suggest): ShapeFault {
  const correction = suggest(key, Object.keys(shape.fields))
  const message = `unknown field ${describeValue(key)}.${correction === undefined ? placeOf(key, shape) : ''}`
  return { ...fault('type_mismatch', [...path, key], message), at: 'key', meant: correction }
}

function placeOf(key: string, { others, elsewhere = {} }: ObjectShape): string {
  if (Object.hasOwn(elsewhere, key)) return ` ${elsewhere[key]}`
  return others === 'extensions' ? ' An extension field starts with "x-".' : ''
}

function checkEnumeration(
  value: Value,
  values: readonly string[],
  rule: string | undefined,
  { faults, hint, path }: Findings,
): void {
  if (typeof value === 'string' && values.includes(value)) return
  const choices = `one of ${values.join(', ')}`
  if (typeof value !== 'string') faults.push(mismatch(path, choices, value, rule))
  else {
    const unknown = fault('unknown_variant', path, `${describeValue(value)} is not ${choices}.`, rule)
    faults.push({ ...unknown, meant: hint(value, values) })
  }
}

function mismatch(path: Path, expected: string, value: Value, rule: string | undefined): ShapeFault {
  return fault('type_mismatch', path, `expected ${expected}, got ${describeValue(value)}`, rule)
}

function fault(kind: ShapeFault['kind'], at: Path, message: string, rule?: string): ShapeFault {
  return defined({ kind, path: [...at], at: 'value' as const, message, rule })
}

function textHint(value: Value): string {
  return isNumeric(value) || typeof value === 'boolean' ? 'a string (put it in quotes)' : 'a string'
}
