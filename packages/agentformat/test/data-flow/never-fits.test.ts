import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newEffort } from '../../src/data-flow/effort.ts'
import { neverFits } from '../../src/data-flow/never-fits.ts'
import { rootNode } from '../../src/data-flow/schema-node.ts'
import type { JsonSchema } from '../../src/model/document.ts'
import { validateValue } from '../../src/schema/check-schema.ts'

const misfit = (source: JsonSchema, target: JsonSchema) =>
  neverFits([rootNode(source)], [rootNode(target)], newEffort())
const object = (properties: object, required: readonly string[] = [], rest: object = {}): JsonSchema =>
  ({ type: 'object', properties, required, ...rest }) as JsonSchema
const string = { type: 'string' }
const integer = { type: 'integer' }

describe('schemas that can never match', () => {
  test.each<[JsonSchema, JsonSchema, string]>([
    [string, integer, 'is string, but must be integer'],
    [string, false, 'is string, but must be nothing'],
    [{ enum: ['a', 1] }, { enum: ['b', 2] }, 'is one of "a", 1, but must be one of "b", 2'],
    [object({ a: string }, ['a']), object({ a: integer }), 'is string, but must be integer'],
    [object({ a: string }), object({ a: integer }, ['a']), 'is string, but must be integer'],
    [object({}, [], { additionalProperties: false }), object({}, ['a']), 'never has "a", which is required'],
    [object({}, ['a']), object({}, [], { additionalProperties: false }), 'is anything, but must be nothing'],
    [
      { type: 'array', items: string, minItems: 1 },
      { type: 'array', items: integer },
      'is string, but must be integer',
    ],
  ])('%j against %j', (source, target, message) => {
    expect(misfit(source, target)?.message).toBe(message)
  })

  test('compares items of nullable lists, and uses the larger minimum length', () => {
    const bounded = (first: number, second: number) => ({
      type: ['array', 'null'],
      items: string,
      allOf: [{ minItems: first }, { minItems: second }],
    })
    const target = { type: 'array', items: integer }
    expect(misfit(bounded(1, 0), target)?.at).toBe('[]')
    expect(misfit(bounded(0, 1), target)?.at).toBe('[]')
    expect(misfit(bounded(0, 0), target)).toBeUndefined()
  })

  test('reports the path of the mismatch', () => {
    const source = object({ a: { type: 'array', items: object({ b: string }, ['b']), minItems: 1 } }, ['a'])
    const target = object({ a: { type: 'array', items: object({ b: integer }) } })
    expect(misfit(source, target)?.at).toBe('a.[].b')
  })
})

describe('schemas that might match', () => {
  test.each<[JsonSchema, JsonSchema]>([
    [{}, {}],
    [object({ a: string }), object({ a: integer })],
    [
      { type: 'array', items: string },
      { type: 'array', items: integer },
    ],
    [{ enum: ['a', { b: 1 }] }, { enum: ['c'] }],
    [
      { type: ['object', 'string'], required: ['a'] },
      { type: ['object', 'string'], properties: { a: false } },
    ],
    [{ $ref: '#' }, { $ref: '#' }],
    [
      object({}, ['a'], { patternProperties: { a: string }, additionalProperties: false }),
      object({ a: string }, ['a']),
    ],
    [false, string],
  ])('%j against %j', (source, target) => {
    expect(misfit(source, target)).toBeUndefined()
  })

  test('cycles end', () => {
    const circle = object({ a: { $ref: '#' } }, ['a'])
    expect(misfit(circle, circle)).toBeUndefined()
  })
})

/** Schemas with a few keywords, and values that match them now and then. */
const schema: fc.Arbitrary<JsonSchema> = fc.letrec<{ node: JsonSchema }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonSchema>(
      true,
      {},
      string,
      integer,
      { type: 'number' },
      { type: ['null', 'string'] },
      { const: 1 },
      { enum: ['a', 2] },
    ),
    fc.record({
      type: fc.constant('array'),
      items: tie('node'),
      minItems: fc.nat({ max: 1 }),
    }) as fc.Arbitrary<JsonSchema>,
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node')),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.boolean(),
    }) as fc.Arbitrary<JsonSchema>,
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }) as fc.Arbitrary<JsonSchema>,
    fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }) as fc.Arbitrary<JsonSchema>,
  ),
})).node
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('a', 'b', 1, 2, 1.5, null, true, {}, []),
    fc.array(tie('node'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('node')),
  ),
})).node

test('is never wrong: a value that matches both schemas is not reported, with any effort left', () => {
  let both = 0
  fc.assert(
    fc.property(
      schema,
      schema,
      fc.array(value, { minLength: 30, maxLength: 30 }),
      fc.nat(30),
      (source, target, values, effort) => {
        // The values are JSON by construction.
        const fits = values.some(
          (each) => validateValue(source, each as never).ok && validateValue(target, each as never).ok,
        )
        if (!fits) return true
        both++
        const tired = neverFits([rootNode(source)], [rootNode(target)], newEffort(effort))
        return misfit(source, target) === undefined && tired === undefined
      },
    ),
    { numRuns: 500 },
  )
  expect(both).toBeGreaterThan(50)
})
