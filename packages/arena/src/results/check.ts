/** Whether a value has a shape, and every place where it has not. */
import {
  cut,
  type Diagnostic,
  formatPath,
  isList,
  isRecord,
  kindOf,
  type Path,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { bounds } from '../model/limits.ts'
import type { ObjectShape, Shape } from './shape.ts'

/** What is wrong, with paths, in the order of the table. Unknown fields are no fault: a later release may add some. */
export function checkResults(value: Value, shape: Shape): Diagnostic[] {
  const faults: Diagnostic[] = []
  check(value, shape, [], faults)
  return faults
}

function check(value: Value, shape: Shape, path: Path, faults: Diagnostic[]): void {
  if (faults.length >= bounds.resultsFindings) return
  if (shape.kind === 'object' && isRecord(value)) checkFields(value, shape, path, faults)
  else if (shape.kind === 'list' && isList(value)) {
    for (const [index, item] of value.entries()) check(item, shape.item, [...path, index], faults)
  } else if (shape.kind === 'map' && isRecord(value)) {
    for (const [key, item] of Object.entries(value)) check(item, shape.item, [...path, key], faults)
  } else {
    const wanted = expectation(value, shape)
    if (wanted !== undefined) report(path, `expected ${wanted}, got ${shown(value)}`, faults)
  }
}

function checkFields(record: ValueRecord, { fields }: ObjectShape, path: Path, faults: Diagnostic[]): void {
  for (const [name, { shape, optional }] of Object.entries(fields)) {
    if (Object.hasOwn(record, name)) check(record[name] as Value, shape, [...path, name], faults)
    else if (!optional) report([...path, name], `the field "${name}" is missing`, faults)
  }
}

/** What a value should have been; undefined when it is that. */
function expectation(value: Value, shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'text':
    case 'prose':
      return typeof value === 'string' ? undefined : 'a string'
    case 'time':
      return isTime(value) ? undefined : 'a time such as "2026-02-15T10:00:00.000Z"'
    case 'number':
      return typeof value === 'number' ? undefined : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'count': {
      const fits = typeof value === 'number' && Number.isInteger(value) && value >= shape.least
      return fits ? undefined : `a whole number from ${shape.least} on`
    }
    case 'exactly':
      return value === shape.value ? undefined : `${shape.value}`
    case 'one-of':
      return typeof value === 'string' && shape.values.includes(value) ? undefined : `one of ${shape.values.join(', ')}`
    case 'list':
      return 'a list'
    case 'map':
    case 'object':
      return 'a mapping'
  }
}

/** How the schema has it, too. */
export const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/

function isTime(value: Value): boolean {
  return typeof value === 'string' && value.length < 40 && TIME.test(value)
}

/** A value for a message; what is large is only named. */
function shown(value: Value): string {
  if (typeof value !== 'string') return typeof value === 'object' ? kindOf(value) : String(value)
  return JSON.stringify(cut(value, 60))
}

function report(path: Path, message: string, faults: Diagnostic[]): void {
  if (faults.length < bounds.resultsFindings) faults.push(diagnostic('results-unreadable', message, formatPath(path)))
}
