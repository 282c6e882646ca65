import { isList, isNumeric, isRecord, type Value, type ValueRecord } from '../model/value.ts'

/**
 * Tests deep equality ([OATF SDK §5.3](https://oatf.io/sdk/execution-primitives/)). Numbers are compared by
 * `sameNumber`, so 42 equals 42.0, -0 equals 0 and NaN equals nothing. Key order is ignored. Arrays are compared by
 * position and length. `onPair` is called for every pair, to count work.
 */
export function deepEqual(left: Value, right: Value, onPair?: (a: Value, b: Value) => void): boolean {
  const same = (a: Value, b: Value) => a === b || (isNumeric(a) && isNumeric(b) && sameNumber(a, b))
  return equalTrees(left, right, false, same, onPair)
}

/** True if two values are identical, including number types, signs of zero and key order. */
export function sameValue(left: Value, right: Value): boolean {
  return equalTrees(left, right, true, Object.is)
}

/**
 * Compares two numbers by mathematical value. Beyond 2^53, a double also equals the integer that it is printed as,
 * because a trace that is written and parsed again contains that integer.
 */
export function sameNumber(a: number | bigint, b: number | bigint): boolean {
  if (typeof a === typeof b) return a === b
  return (a >= b && a <= b) || String(a) === String(b)
}

/** Compares two trees. Iterative, so that depth cannot exhaust the stack. */
function equalTrees(
  left: Value,
  right: Value,
  inOrder: boolean,
  sameScalar: (a: Value, b: Value) => boolean,
  onPair?: (a: Value, b: Value) => void,
): boolean {
  const pending: Value[] = [left, right]
  while (pending.length > 0) {
    // Values are pushed in pairs.
    const b = pending.pop() as Value
    const a = pending.pop() as Value
    onPair?.(a, b)
    if (isList(a) && isList(b)) {
      if (!pairItems(a, b, pending)) return false
    } else if (isRecord(a) && isRecord(b)) {
      if (!pairFields(a, b, inOrder, pending)) return false
    } else if (!sameScalar(a, b)) return false
  }
  return true
}

function pairItems(a: readonly Value[], b: readonly Value[], pending: Value[]): boolean {
  if (a.length !== b.length) return false
  // The loop keeps the index in range.
  for (let index = 0; index < a.length; index++) pending.push(a[index] as Value, b[index] as Value)
  return true
}

function pairFields(a: ValueRecord, b: ValueRecord, inOrder: boolean, pending: Value[]): boolean {
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  for (const [index, key] of keys.entries()) {
    if (inOrder ? key !== others[index] : !Object.hasOwn(b, key)) return false
    // Both records have the key.
    pending.push(a[key] as Value, b[key] as Value)
  }
  return true
}
