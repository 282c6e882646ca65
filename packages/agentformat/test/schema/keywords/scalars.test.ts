import { describe, expect, test } from 'vitest'
import { problems } from '../problems.ts'

test.each([
  [{ type: 'string' }, 5, 'type: expected a string, got 5'],
  [{ type: 'integer' }, 1.5, 'type: expected an integer, got 1.5'],
  [{ type: 'number' }, '1', 'type: expected a number, got "1"'],
  [{ type: 'boolean' }, 'yes', 'type: expected true or false, got "yes"'],
  [{ type: 'object' }, [], 'type: expected a mapping, got a list'],
  [{ type: 'array' }, {}, 'type: expected a list, got a mapping'],
  [{ type: ['string', 'null'] }, true, 'type: expected a string or null, got true'],
  [{ const: 1 }, 2, 'const: must be 1, got 2'],
  [
    { uniqueItems: true },
    [1, { a: 1, b: 2 }, { b: 2, a: 1 }],
    'uniqueItems: items 1 and 2 are equal; items must be unique',
  ],
  [{ pattern: '^a' }, 'ba', 'pattern: "ba" does not match the pattern "^a"'],
  [
    { pattern: '^a', description: 'starts with a' },
    'ba',
    'pattern: "ba" does not match the pattern "^a": starts with a',
  ],
] as const)('%j refuses %j', (schema, value, problem) => {
  expect(problems(schema, value)).toEqual([problem])
})

describe('enum', () => {
  test('suggests a similar member', () => {
    expect(problems({ enum: ['auto', 'none', 1] }, 'atuo')).toEqual([
      'enum: must be one of "auto", "none", 1, got "atuo". Did you mean "auto"?',
    ])
  })

  test('lists only the first members', () => {
    const [problem] = problems({ enum: Array.from({ length: 5000 }, (_, index) => `member ${index}`) }, 5)
    expect(problem).toMatch(/"member 11", …, got 5$/)
    expect(problem?.length).toBeLessThan(300)
  })
})

test('nothing is coerced, and formats are annotations', () => {
  expect(problems({ type: 'integer' }, 1.0)).toEqual([])
  expect(problems({ const: 1 }, true)).toHaveLength(1)
  expect(problems({ enum: ['1'] }, 1)).toHaveLength(1)
  expect(problems({ type: 'string', format: 'uri' }, 'not a uri')).toEqual([])
})

test('keywords for another type do not apply', () => {
  expect(problems({ minimum: 5, minLength: 5, minItems: 5, minProperties: 5, pattern: 'x' }, null)).toEqual([])
})
