import { deepEqual, formatPath, isList, isRecord, type Path, type Value, valueAt } from '@joust/source'
import { type Failure, show } from './case.ts'

/** Compares two values and returns the first difference. */
export function difference(expected: Value | undefined, actual: Value | undefined): Failure | undefined {
  if (expected === undefined || actual === undefined)
    return expected === actual ? undefined : { expected: show(expected), actual: show(actual) }
  return deepEqual(expected, actual) ? undefined : firstDifference(expected, actual, [])
}

function firstDifference(expected: Value | undefined, actual: Value | undefined, path: Path): Failure {
  for (const key of keysOf(expected, actual)) {
    const expectedPart = valueAt(expected ?? null, [key])
    const actualPart = valueAt(actual ?? null, [key])
    if (expectedPart === undefined || actualPart === undefined || !deepEqual(expectedPart, actualPart))
      return firstDifference(expectedPart, actualPart, [...path, key])
  }
  const where = path.length === 0 ? '' : ` at ${formatPath(path)}`
  return { expected: `${show(expected)}${where}`, actual: `${show(actual)}${where}` }
}

function keysOf(one: Value | undefined, other: Value | undefined): Iterable<string | number> {
  if (isRecord(one) && isRecord(other)) return Object.keys({ ...one, ...other })
  return isList(one) && isList(other) ? (one.length < other.length ? other : one).keys() : []
}
