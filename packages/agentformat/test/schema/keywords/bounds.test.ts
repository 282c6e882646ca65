import { expect, test } from 'vitest'
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
