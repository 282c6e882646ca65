import {
  isInteger,
  isList,
  isNumeric,
  isRecord,
  type Path,
  type Suggest,
  suggestions,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { describeValue } from './describe-value.ts'
import type { ParseErrorKind } from './enumerations.ts'
import { isIsoDate } from './iso-date.ts'
import { operators } from './operators.ts'
import type { Field, ObjectShape, Shape } from './shape.ts'

/** One way in which a value does not have its shape. `at` says whether the key or the value is wrong. */
export interface ShapeFault {
  readonly kind: ParseErrorKind
  readonly path: Path
  readonly at: 'key' | 'value'
  readonly message: string
  readonly rule?: string
}

/** Every way in which a value differs from a shape. */
export function checkShape(value: Value, shape: Shape): ShapeFault[] {
  const findings: Findings = { faults: [], hint: suggestions() }
  check(value, shape, [], undefined, findings)
  return findings.faults
}

/** What was found so far, and the guesses for this document. */
interface Findings {
  readonly faults: ShapeFault[]
  readonly hint: Suggest
}

function check(value: Value, shape: Shape, path: Path, rule: string | undefined, findings: Findings): void {
  if (shape.kind === 'choice') check(value, shape.choose(value), path, rule, findings)
  else if (shape.kind === 'enumeration') checkEnumeration(value, shape.values, path, rule, findings)
  else if (shape.kind === 'object' && isRecord(value)) checkObject(value, shape, path, findings)
  else if (shape.kind === 'map' && isRecord(value)) {
    for (const [key, item] of Object.entries(value)) check(item, shape.item, [...path, key], rule, findings)
  } else if (shape.kind === 'list' && isList(value)) {
    for (const [index, item] of value.entries()) check(item, shape.item, [...path, index], rule, findings)
  } else {
    const expected = expectation(value, shape.kind)
    if (expected === undefined) return
    findings.faults.push(fault('type_mismatch', path, `expected ${expected}, got ${describeValue(value)}`, rule))
  }
}

/** What a value should have been; undefined when it is that. */
function expectation(value: Value, kind: Exclude<Shape['kind'], 'choice' | 'enumeration'>): string | undefined {
  switch (kind) {
    case 'value':
      return undefined
    case 'text':
      return typeof value === 'string' ? undefined : textHint(value)
    case 'integer':
      return isInteger(value) ? undefined : 'an integer'
    case 'number':
      return isNumeric(value) ? undefined : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'date':
      return isIsoDate(value) ? undefined : 'an ISO 8601 date or date-time such as "2026-02-15"'
    case 'list':
      return 'a list'
    case 'map':
    case 'object':
      return 'a mapping'
  }
}

function checkObject(record: ValueRecord, shape: ObjectShape, path: Path, findings: Findings): void {
  for (const key of Object.keys(record)) {
    const field = fieldOf(shape, key)
    if (field !== undefined) checkField(record[key] as Value, field, [...path, key], findings)
    else if (shape.others === 'none' || (shape.others === 'extensions' && !key.startsWith('x-'))) {
      findings.faults.push(unknownField(key, shape, path, findings.hint))
    }
  }
  for (const [name, field] of Object.entries(shape.fields)) {
    if (field.required && !Object.hasOwn(record, name)) {
      findings.faults.push({
        ...fault('type_mismatch', [...path, name], `the field "${name}" is required`, field.rule),
        at: 'key',
      })
    }
  }
}

function checkField(value: Value, { shape, rule, alsoRule }: Field, path: Path, findings: Findings): void {
  check(value, shape, path, rule, findings)
  if (alsoRule !== undefined) check(value, shape, path, alsoRule, findings)
}

function fieldOf(shape: ObjectShape, key: string): Field | undefined {
  return Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined
}

function unknownField(key: string, shape: ObjectShape, path: Path, suggest: Suggest): ShapeFault {
  const hint = suggest(key, Object.keys(shape.fields))
  const where = shape.others === 'extensions' ? ' An extension field starts with "x-".' : placeOf(key, shape)
  return {
    ...fault('type_mismatch', [...path, key], `unknown field ${describeValue(key)}.${hint || where}`),
    at: 'key',
  }
}

/** An operator that only the standard form of a pattern has. */
function placeOf(key: string, shape: ObjectShape): string {
  return key in operators && 'condition' in shape.fields ? ' It stands only under "condition".' : ''
}

function checkEnumeration(
  value: Value,
  values: readonly string[],
  path: Path,
  rule: string | undefined,
  { faults, hint }: Findings,
): void {
  if (typeof value === 'string' && values.includes(value)) return
  const choices = `one of ${values.join(', ')}`
  if (typeof value !== 'string') {
    faults.push(fault('type_mismatch', path, `expected ${choices}, got ${describeValue(value)}`, rule))
  } else {
    faults.push(
      fault('unknown_variant', path, `${describeValue(value)} is not ${choices}.${hint(value, values)}`, rule),
    )
  }
}

function fault(kind: ParseErrorKind, path: Path, message: string, rule?: string): ShapeFault {
  return rule === undefined ? { kind, path, at: 'value', message } : { kind, path, at: 'value', message, rule }
}

function textHint(value: Value): string {
  return isNumeric(value) || typeof value === 'boolean' ? 'a string (put it in quotes)' : 'a string'
}
