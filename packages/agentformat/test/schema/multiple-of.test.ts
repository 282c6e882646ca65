import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMultipleOf } from '../../src/schema/multiple-of.ts'

test.each<[number | bigint, number | bigint, boolean]>([
  [9007199254740993n, 3, true],
  [9007199254740993n, 2, false],
  [-9007199254740993n, 0.5, true],
  [3, 9007199254740993n, false],
  [0.3, 0.1, true],
  [19.99, 0.01, true],
  [1e308, 0.5, true],
  [1e-7, 1e-8, true],
  [-4.5, 1.5, true],
  [0, 3, true],
  [0.35, 0.1, false],
  [1, 1e308, false],
  [1, 0, false],
  [1, -1, false],
  [Number.NaN, 1, false],
  [1, Number.POSITIVE_INFINITY, false],
])('%s of %s: %s', (value, divisor, expected) => {
  expect(isMultipleOf(value, divisor)).toBe(expected)
})

test('for integers it is the remainder', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (value, divisor) => {
      expect(isMultipleOf(value, divisor)).toBe(value % divisor === 0)
    }),
  )
})
