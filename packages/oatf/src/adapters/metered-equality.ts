import { isList, isNumeric, isRecord, sameNumber, type Value } from '@joust/source'
import type { Budget } from './budget.ts'

/** Deep equality of JSON that pays for every pair it compares. Without recursion: a message may be deeper than the stack. */
export function equalValues(left: Value, right: Value, budget: Budget): boolean {
  const pending: (readonly [Value, Value])[] = [[left, right]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair
    budget.spendItems(1)
    if (isList(a) && isList(b)) {
      if (a.length !== b.length) return false
      budget.spendItems(a.length)
      for (const [index, item] of a.entries()) pending.push([item, b[index] ?? null])
    } else if (isRecord(a) && isRecord(b)) {
      const keys = Object.keys(a)
      budget.spendItems(keys.length)
      if (keys.length !== Object.keys(b).length) return false
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false
        pending.push([a[key] ?? null, b[key] ?? null])
      }
    } else {
      if (typeof a === 'string' && typeof b === 'string' && a.length === b.length) budget.spendText(a.length)
      if (a !== b && !(isNumeric(a) && isNumeric(b) && sameNumber(a, b))) return false
    }
  }
  return true
}
