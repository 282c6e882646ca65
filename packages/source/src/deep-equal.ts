import type { Value } from './value.ts'

/**
 * Deep equality (OATF SDK §5.3): numbers by mathematical value (42 equals 42.0, -0 equals 0), NaN equals nothing,
 * key order is irrelevant, arrays compare by position and length. Iterative, so that depth cannot exhaust the stack.
 */
export function deepEqual(left: Value, right: Value): boolean {
  const pending: Value[] = [left, right]
  while (pending.length > 0) {
    // Pairs are pushed together, so two are always there.
    const a = pending.pop() as Value
    const b = pending.pop() as Value
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
      if (a !== b) return false
    } else if (!pushPairs(a, b, pending)) return false
  }
  return true
}

function pushPairs(a: NonNullable<Value>, b: NonNullable<Value>, pending: Value[]): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const left = a as Record<string, Value>
  const right = b as Record<string, Value>
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  if (Array.isArray(a) && a.length !== (b as readonly Value[]).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(right, key)) return false
    pending.push(left[key] as Value, right[key] as Value)
  }
  return true
}
