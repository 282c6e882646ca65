import { sourceBounds } from '../model/limits.ts'

export type Pair = readonly [left: number, right: number]

/** Returns a longest common subsequence of two lists, as pairs of indices (Myers, "An O(ND) Difference Algorithm"). */
export function commonParts(left: readonly string[], right: readonly string[]): Pair[] {
  const shorter = Math.min(left.length, right.length)
  let before = 0
  while (before < shorter && left[before] === right[before]) before++
  let after = 0
  while (after < shorter - before && left.at(-1 - after) === right.at(-1 - after)) after++
  const pairs: Pair[] = []
  for (let index = 0; index < before; index++) pairs.push([index, index])
  const middle = shortestEdit(left.slice(before, left.length - after), right.slice(before, right.length - after))
  for (const [a, b] of middle) pairs.push([before + a, before + b])
  for (let rest = after; rest > 0; rest--) pairs.push([left.length - rest, right.length - rest])
  return pairs
}

function shortestEdit(left: readonly string[], right: readonly string[]): Pair[] {
  if (left.length === 0 || right.length === 0) return []
  const most = Math.min(left.length + right.length, sourceBounds.differences)
  /** The furthest index in `left` on each diagonal, for each number of differences. */
  const reached: Int32Array[] = []
  let last = new Int32Array(3)
  for (let differences = 0; differences <= most; differences++) {
    const now = new Int32Array(2 * differences + 3)
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = startOf(last, differences, diagonal)
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++
      now[diagonal + differences + 1] = x
      if (x >= left.length && x - diagonal >= right.length) return walkBack(reached, left.length, right.length)
    }
    reached.push(now)
    last = now
  }
  return []
}

/** True if the furthest path on a diagonal continues a path on the diagonal above. */
function comesDown(last: Int32Array, differences: number, diagonal: number): boolean {
  const at = (neighbour: number): number => last[neighbour + differences] ?? 0
  return diagonal === -differences || (diagonal !== differences && at(diagonal - 1) < at(diagonal + 1))
}

function startOf(last: Int32Array, differences: number, diagonal: number): number {
  if (differences === 0) return 0
  const place = diagonal + differences
  return comesDown(last, differences, diagonal) ? (last[place + 1] ?? 0) : (last[place - 1] ?? 0) + 1
}

function walkBack(reached: readonly Int32Array[], width: number, height: number): Pair[] {
  const pairs: Pair[] = []
  let x = width
  let y = height
  for (let differences = reached.length; differences >= 0; differences--) {
    const last = reached[differences - 1] ?? new Int32Array(3)
    const diagonal = x - y
    for (const start = startOf(last, differences, diagonal); x > start; x--) pairs.push([x - 1, x - 1 - diagonal])
    y = x - diagonal
    if (comesDown(last, differences, diagonal)) y--
    else x--
  }
  return pairs.reverse()
}
