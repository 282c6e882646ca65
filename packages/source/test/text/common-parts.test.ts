import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonParts } from '../../src/text/common-parts.ts'

/** The length of the longest common subsequence, by dynamic programming. */
function longest(left: readonly string[], right: readonly string[]): number {
  const rows = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0))
  for (const [a, one] of left.entries()) {
    for (const [b, other] of right.entries()) {
      const row = rows[a + 1] ?? []
      row[b + 1] = one === other ? (rows[a]?.[b] ?? 0) + 1 : Math.max(rows[a]?.[b + 1] ?? 0, row[b] ?? 0)
    }
  }
  return rows[left.length]?.[right.length] ?? 0
}

test('is a longest common subsequence', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 })
  fc.assert(
    fc.property(list, list, (left, right) => {
      const pairs = commonParts(left, right)
      for (const [a, b] of pairs) expect(left[a]).toBe(right[b])
      for (const [index, [a, b]] of pairs.entries()) {
        const [lastA, lastB] = pairs[index - 1] ?? [-1, -1]
        expect(a > lastA && b > lastB).toBe(true)
      }
      expect(pairs).toHaveLength(longest(left, right))
    }),
  )
})
