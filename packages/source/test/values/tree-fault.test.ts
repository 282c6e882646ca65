import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/model/limits.ts'
import { treeFault } from '../../src/values/tree-fault.ts'

const limits = { ...defaultLimits, valueNodes: 40, valueDepth: 8 }

/** What is wrong, found by walking through every part as often as it occurs, last first. */
function walked(value: unknown): string | undefined {
  let nodes = 0
  return visit(value, [])

  function visit(here: unknown, above: readonly unknown[]): string | undefined {
    if (typeof here !== 'object' || here === null) return undefined
    if (above.includes(here)) return 'itself'
    nodes += 1
    if (nodes > limits.valueNodes) return 'valueNodes'
    if (above.length >= limits.valueDepth) return 'valueDepth'
    for (const item of Object.values(here).reverse()) {
      const fault = visit(item, [...above, here])
      if (fault !== undefined) return fault
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

function build(held: readonly (readonly number[])[]): unknown {
  const made: unknown[][] = held.map(() => [])
  for (const [index, steps] of held.entries()) for (const step of steps) made[index]?.push(made[index + step] ?? 'x')
  return made[0]
}

test('finds what a walk through every part finds first, for values that share their parts or contain themselves', () => {
  const found = new Set<string>()
  fc.assert(
    fc.property(parts, (held) => {
      const value = build(held)
      const fault = walked(value) ?? 'nothing'
      found.add(fault)
      expect(treeFault(value, limits) ?? 'nothing').toContain(fault)
    }),
    // A chain of parts is rarely drawn by chance.
    { numRuns: 1000, examples: [[Array.from({ length: 24 }, () => [1])]] },
  )
  expect([...found].sort()).toEqual(['itself', 'nothing', 'valueDepth', 'valueNodes'])
})
