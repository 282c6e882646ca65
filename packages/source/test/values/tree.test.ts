import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/model/limits.ts'
import { checkTree } from '../../src/values/tree.ts'

const limits = { ...defaultLimits, valueNodes: 40, valueDepth: 8 }

/** The first error, found by visiting every part as often as it occurs, in reverse order. */
function firstError(value: unknown): string | undefined {
  let nodes = 0
  return visit(value, [])

  function visit(here: unknown, above: readonly unknown[]): string | undefined {
    if (typeof here !== 'object' || here === null) return undefined
    if (above.includes(here)) return 'circular reference'
    nodes += 1
    if (nodes > limits.valueNodes) return 'valueNodes'
    if (above.length >= limits.valueDepth) return 'valueDepth'
    for (const item of Object.values(here).reverse()) {
      const error = visit(item, [...above, here])
      if (error !== undefined) return error
    }
    return undefined
  }
}

/**
 * Parts that contain others: each lists their positions relative to its own, after or before it; the first is the
 * value.
 */
const parts = fc.array(
  fc.array(fc.oneof({ weight: 30, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: -9, max: 0 })), {
    maxLength: 3,
  }),
  { minLength: 1, maxLength: 24 },
)

function build(offsets: readonly (readonly number[])[]): unknown {
  const built: unknown[][] = offsets.map(() => [])
  for (const [index, steps] of offsets.entries())
    for (const step of steps) built[index]?.push(built[index + step] ?? 'x')
  return built[0]
}

test('finds the same error as a full traversal, for values with shared parts or circular references', () => {
  const errors = new Set<string>()
  fc.assert(
    fc.property(parts, (offsets) => {
      const value = build(offsets)
      const error = firstError(value) ?? 'nothing'
      errors.add(error)
      const checked = checkTree(value, limits)
      expect(checked.ok ? 'nothing' : checked.error).toContain(error)
    }),
    // A chain of parts is rarely drawn by chance.
    { numRuns: 1000, examples: [[Array.from({ length: 24 }, () => [1])]] },
  )
  expect([...errors].sort()).toEqual(['circular reference', 'nothing', 'valueDepth', 'valueNodes'])
})
