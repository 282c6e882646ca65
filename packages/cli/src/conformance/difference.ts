import { deepEqual, formatPath, isList, isRecord, own, type Path, type Value } from '@joust/source'
import { type Failure, show } from './case.ts'

/** Compares two values; says what was expected and seen at the first difference. */
export function difference(expected: Value | undefined, actual: Value | undefined): Failure | undefined {
  if (expected === undefined || actual === undefined) {
    return expected === actual ? undefined : { expected: show(expected), actual: show(actual) }
  }
  return deepEqual(expected, actual) ? undefined : firstDifference(expected, actual, [])
}

function firstDifference(expected: Value | undefined, actual: Value | undefined, path: Path): Failure {
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const left = own(expected, key)
      const right = own(actual, key)
      if (left === undefined || right === undefined || !deepEqual(left, right))
        return firstDifference(left, right, [...path, key])
    }
  }
  if (isList(expected) && isList(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      const left = expected[index]
      const right = actual[index]
      if (left === undefined || right === undefined || !deepEqual(left, right))
        return firstDifference(left, right, [...path, index])
    }
  }
  const where = path.length === 0 ? '' : ` at ${formatPath(path)}`
  return { expected: `${show(expected)}${where}`, actual: `${show(actual)}${where}` }
}
