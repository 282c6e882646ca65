import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMultipleOf } from '../../../src/schema/keywords/bounds.ts'
import { problems } from '../problems.ts'

test.each([
  [{ minimum: 1 }, 0, 'minimum: must be at least 1, got 0'],
  [{ maximum: 1 }, 2, 'maximum: must be at most 1, got 2'],
  [{ exclusiveMinimum: 1 }, 1, 'exclusiveMinimum: must be more than 1, got 1'],
  [{ exclusiveMaximum: 1 }, 1, 'exclusiveMaximum: must be less than 1, got 1'],
  [{ multipleOf: 0.1 }, 0.25, 'multipleOf: must be a multiple of 0.1, got 0.25'],
  [{ minLength: 1 }, '', 'minLength: must not be empty'],
  [{ minLength: 3 }, '😀😀', 'minLength: must have at least 3 characters, has 2'],
  [{ maxLength: 1 }, 'ab', 'maxLength: must have at most 1 characters, has 2'],
  [{ minItems: 1 }, [], 'minItems: must not be empty'],
  [{ maxItems: 1 }, [1, 2], 'maxItems: must have at most 1 items, has 2'],
  [{ minProperties: 2 }, { a: 1 }, 'minProperties: must have at least 2 properties, has 1'],
  [{ maxProperties: 0 }, { a: 1 }, 'maxProperties: must have at most 0 properties, has 1'],
] as const)('%j refuses %j', (schema, value, problem) => {
  expect(problems(schema, value)).toEqual([problem])
})

test('a bound itself is allowed, unless it is exclusive', () => {
  expect(problems({ minimum: 1, maximum: 1 }, 1)).toEqual([])
  expect(problems({ minLength: 1, maxLength: 1 }, '😀')).toEqual([])
  expect(problems({ minItems: 1, maxItems: 1 }, [1])).toEqual([])
  expect(problems({ minProperties: 1, maxProperties: 1 }, { a: 1 })).toEqual([])
})

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

test('agrees with the remainder for integers', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (value, divisor) => {
      expect(isMultipleOf(value, divisor)).toBe(value % divisor === 0)
    }),
  )
})
