import { isList, isNumeric, isRecord, type Value, type ValueRecord } from '../model/value.ts'

/**
 * Deep equality (OATF SDK §5.3): numbers by `sameNumber`, so that 42 equals 42.0, -0 equals 0 and NaN equals nothing;
 * key order is irrelevant, arrays compare by position and length. Iterative, so that depth cannot exhaust the stack.
 */
export function deepEqual(left: Value, right: Value): boolean {
  const pending: Value[] = [left, right]
  while (pending.length > 0) {
    // Pairs are pushed together, so two are always there.
    const a = pending.pop() as Value
    const b = pending.pop() as Value
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (a !== b && !(isNumeric(a) && isNumeric(b) && sameNumber(a, b))) return false
    } else if (!pushPairs(a, b, pending)) return false
  }
  return true
}

/**
 * Whether two numbers are the same, by mathematical value. Beyond 2^53 a double also equals the integer that it is
 * written as: a trace that is read back holds that integer.
 */
export function sameNumber(a: number | bigint, b: number | bigint): boolean {
  if (typeof a === typeof b) return a === b
  return (a >= b && a <= b) || String(a) === String(b)
}

function pushPairs(a: readonly Value[] | ValueRecord, b: readonly Value[] | ValueRecord, pending: Value[]): boolean {
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false
    // In range by the loop's bound.
    for (let index = 0; index < a.length; index++) pending.push(a[index] as Value, b[index] as Value)
    return true
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false
    // Both have the key.
    pending.push(a[key] as Value, b[key] as Value)
  }
  return true
}

/** Whether two values are the same to the last detail: kind of number, sign of zero and order of keys included. */
export function sameValue(left: Value, right: Value): boolean {
  const pending: Value[] = [left, right]
  while (pending.length > 0) {
    // Pairs are pushed together, so two are always there.
    const b = pending.pop() as Value
    const a = pending.pop() as Value
    if (isList(a) && isList(b)) {
      if (a.length !== b.length) return false
      for (let index = 0; index < a.length; index++) pending.push(a[index] ?? null, b[index] ?? null)
    } else if (isRecord(a) && isRecord(b)) {
      const keys = Object.keys(a)
      const others = Object.keys(b)
      if (keys.length !== others.length || keys.some((key, index) => key !== others[index])) return false
      for (const key of keys) pending.push(a[key] ?? null, b[key] ?? null)
    } else if (!Object.is(a, b)) return false
  }
  return true
}
