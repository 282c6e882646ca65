import { writeJson } from '../json/write-json.ts'
import { isRecord, type Value } from '../model/value.ts'
import { commonParts, type Pair } from '../text/common-parts.ts'
import { sameValue } from '../values/deep-equal.ts'

/** A mapping between the elements of a collection before and after a change, by index. */
export interface Alignment {
  /** The index in `before` for each element of `after`; undefined for a new element. */
  readonly origins: readonly (number | undefined)[]
  readonly removed: ReadonlySet<number>
}

/** Pairs keys by name. The remaining keys are treated as renamed, and paired by identical values, then in order. */
export function alignKeys(
  before: { readonly keys: readonly string[]; readonly values: readonly Value[] },
  after: { readonly keys: readonly string[]; readonly values: readonly Value[] },
): Alignment {
  const targetKeys = new Set(after.keys)
  const stays = new Set(before.keys.filter((key) => targetKeys.has(key)))
  const pairs = pairKeys(before.keys, after.keys, stays)
  // A key that moves is removed and inserted, not renamed.
  return align(pairs, before.values, after.values, sameValue, (left, right) => {
    return !stays.has(before.keys[left] ?? '') && !stays.has(after.keys[right] ?? '')
  })
}

/** Pairs identical keys. Keys are almost always in the same order, which needs no search. */
function pairKeys(before: readonly string[], after: readonly string[], common: ReadonlySet<string>): readonly Pair[] {
  const places = new Map(after.map((key, index) => [key, index]))
  const pairs: Pair[] = []
  let last = -1
  for (const [index, key] of before.entries()) {
    if (!common.has(key)) continue
    const place = places.get(key) ?? -1
    if (place < last) return commonParts(before, after)
    last = place
    pairs.push([index, place])
  }
  return pairs
}

/** Pairs items by value. The remaining items are treated as changed and paired by similarity, then in order. */
export function alignItems(before: readonly Value[], after: readonly Value[]): Alignment {
  const pairs = commonParts(before.map(signature), after.map(signature))
  return align(pairs, before, after, areAlike, () => true)
}

function signature(value: Value): string {
  return Object.is(value, -0) ? '-0' : writeJson(value)
}

/** Maximum size of a gap whose elements are compared individually. */
const WIDEST_GAP = 64

/** Pairs the elements between given pairs, by similarity, then in order. */
function align(
  pairs: readonly Pair[],
  before: readonly Value[],
  after: readonly Value[],
  alike: (left: Value, right: Value) => boolean,
  allowed: (left: number, right: number) => boolean,
): Alignment {
  const origins: (number | undefined)[] = Array.from(after, () => undefined)
  const removed = new Set(before.keys())
  const pair = (left: number, right: number): void => {
    origins[right] = left
    removed.delete(left)
  }
  const nextAlike = (left: number, right: number, toLeft: number, toRight: number): Pair | undefined => {
    if (toLeft - left > WIDEST_GAP || toRight - right > WIDEST_GAP) return undefined
    for (let b = right; b < toRight; b++) {
      for (let a = left; a < toLeft; a++) if (alike(before[a] ?? null, after[b] ?? null)) return [a, b]
    }
    return undefined
  }
  let [left, right] = [0, 0]
  for (const [toLeft, toRight] of [...pairs, [before.length, after.length] as const]) {
    while (left < toLeft && right < toRight) {
      const next = nextAlike(left, right, toLeft, toRight)
      const [a, b] = next ?? [toLeft, toRight]
      for (; left < a && right < b; left++, right++) if (allowed(left, right)) pair(left, right)
      if (next === undefined) break
      if (allowed(a, b)) pair(a, b)
      left = a + 1
      right = b + 1
    }
    if (toLeft < before.length && toRight < after.length) pair(toLeft, toRight)
    left = toLeft + 1
    right = toRight + 1
  }
  return { origins, removed }
}

function areAlike(left: Value, right: Value): boolean {
  if (!isRecord(left) || !isRecord(right)) return false
  const keys = Object.keys(left)
  const most = Math.max(keys.length, Object.keys(right).length)
  const shared = keys.filter((key) => Object.hasOwn(right, key) && sameValue(left[key] ?? null, right[key] ?? null))
  return shared.length > 0 && shared.length * 2 >= most
}
