import type { Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema, type JsonSchema, validateValue } from '../../src/index.ts'
import { problems } from './problems.ts'

test('a value matches or does not', () => {
  const schema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const
  expect(validateValue(schema, { query: 'a' })).toEqual({ ok: true, value: undefined })
  expect(validateValue(schema, { query: 1 })).toEqual({
    ok: false,
    error: [{ path: ['query'], keyword: 'type', message: 'expected a string, got 1', expected: ['string'] }],
  })
})

test.each<[JsonSchema, boolean]>([
  [{ type: 'integer' }, true],
  [{ type: 'number' }, true],
  [{ type: 'string' }, false],
  [{ type: ['null', 'integer'], minimum: 5 }, true],
  [{ maximum: 9007199254740992n }, false],
  [{ exclusiveMinimum: 9007199254740992n }, true],
  [{ maximum: 1e300 }, true],
  [{ const: 9007199254740993n }, true],
  [{ enum: [9007199254740992n] }, false],
  [{ multipleOf: 3 }, true],
])('a large integer is an integer: %o: %s', (schema, fits) => {
  expect(validateValue(schema, 9007199254740993n).ok).toBe(fits)
})

test('no value matches an invalid schema', () => {
  expect(problems({ type: 'strin' }, 'a')[0]).toMatch(/^schema: invalid schema: /)
  expect(compileSchema({ type: 'strin' }).ok).toBe(false)
})

test('a compiled schema validates many values', () => {
  const compiled = compileSchema({ pattern: '^a' })
  expect(compiled.ok && ['ab', 'ba', 5].map((value) => compiled.value(value).ok)).toEqual([true, false, true])
})

describe('hostile input ends', () => {
  const deep = (levels: number, wrap: (inner: Value) => Value): Value => {
    let value: Value = {}
    for (let level = 0; level < levels; level++) value = wrap(value)
    return value
  }

  test('a value nested too deeply', () => {
    const schema = { properties: { a: { $ref: '#' } } }
    expect(
      problems(
        schema,
        deep(100_000, (a) => ({ a })),
      ),
    ).toEqual(['limit: the value and its schema are nested more than 500 levels deep'])
    expect(
      problems(
        {},
        deep(100_000, (a) => [a]),
      ),
    ).toEqual([])
    expect(
      problems(
        { enum: [1], uniqueItems: true },
        deep(100_000, (a) => [a]),
      ),
    ).toHaveLength(1)
  })

  test('a schema nested too deeply', () => {
    const schema = deep(100_000, (items) => ({ items })) as JsonSchema
    expect(problems(schema, [])).toEqual([
      'schema: invalid schema: the value and its schema are nested more than 500 levels deep',
    ])
  })

  test('a schema that doubles at each level', () => {
    const $defs: Record<string, Value> = { d40: {} }
    for (let level = 0; level < 40; level++) {
      const next = { $ref: `#/$defs/d${level + 1}` }
      $defs[`d${level}`] = { allOf: [next, next] }
    }
    expect(problems({ $defs, $ref: '#/$defs/d0' }, 1)).toEqual([
      'limit: validating the value against its schema takes too many steps',
    ])
  })

  test('a long chain of references', () => {
    const $defs: Record<string, Value> = { d20000: {} }
    for (let level = 0; level < 20_000; level++) $defs[`d${level}`] = { $ref: `#/$defs/d${level + 1}` }
    expect(problems({ $defs, $ref: '#/$defs/d0' }, 1)).toHaveLength(1)
    expect(problems({ $defs, $ref: '#/$defs/d19800' }, 1)).toEqual([])
  })

  test('a pattern that backtracks elsewhere', () => {
    expect(problems({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toHaveLength(1)
    expect(problems({ patternProperties: { '^(a+)+$': false } }, { [`${'a'.repeat(50_000)}!`]: 1 })).toEqual([])
  })

  test('long lists of alternatives and long lists of values', () => {
    const members = Array.from({ length: 20_000 }, (_, index) => `member ${index}`)
    const values = Array.from({ length: 20_000 }, (_, index) => `value ${index}`)
    expect(problems({ items: { enum: members } }, values)).toHaveLength(1)
    expect(problems({ uniqueItems: true, items: { type: 'string' } }, values)).toEqual([])
    expect(problems({ anyOf: members.map((member) => ({ const: member })) }, 5)).toHaveLength(1)
  })

  test('many misspelled words', () => {
    const near = (index: number) => `${'ab'.repeat(28)}${index}`
    const members = Array.from({ length: 100 }, (_, index) => near(index))
    const values = Array.from({ length: 5000 }, (_, index) => near(1000 + index))
    expect(problems({ items: { enum: members } }, values)).toHaveLength(100)
    const names = Object.fromEntries(values.map((name) => [name, 1]))
    const properties = Object.fromEntries(members.map((name) => [name, true]))
    expect(problems({ properties, additionalProperties: false }, names)).toHaveLength(100)
  })

  test('very many problems', () => {
    const values = Array.from({ length: 200_000 }, () => 1)
    expect(problems({ items: { type: 'string' } }, values)).toHaveLength(100)
  })

  test('a circular value', () => {
    const value: Value[] = []
    value.push(value)
    expect(problems({ items: { $ref: '#' } }, value)[0]).toMatch(/^limit: /)
  })
})

test('never throws for any schema and value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
      expect(typeof validateValue(schema as JsonSchema, value as Value).ok).toBe('boolean')
    }),
  )
})
