/** Compares our evaluator with two others, on related schemas and values. */
import { Validator } from '@cfworker/json-schema'
import type { Value, ValueRecord } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSchema } from '../../src/schema/check-schema.ts'
import { evaluate } from '../../src/schema/evaluate.ts'
import { judgeWithAjv } from '../judge-with-ajv.ts'

const names = fc.constantFrom('a', 'b', 'ab', '__proto__')
const scalars = fc.constantFrom<Value>(null, true, false, 0, 1, 1.5, 2, -3, '', 'a', 'ab', '😀')

const { value: values } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')
const bound = fc.integer({ min: 0, max: 3 })

const { schema: schemas } = fc.letrec<{ schema: Value }>((tie) => {
  const schema = tie('schema')
  const list = fc.array(schema, { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(names, schema, { maxKeys: 3, noNullPrototype: true })
  const keywords = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    const: values,
    enum: fc.array(values, { minLength: 1, maxLength: 3 }),
    minimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.constantFrom(1, 0.5, 2),
    minLength: bound,
    maxLength: bound,
    pattern: fc.constantFrom('^a', 'b$', '^.$', '[^a]'),
    minItems: bound,
    maxItems: bound,
    uniqueItems: fc.boolean(),
    minProperties: bound,
    maxProperties: bound,
    required: fc.uniqueArray(names, { maxLength: 2 }),
    dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    properties: map,
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), schema, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: schema,
    propertyNames: schema,
    dependentSchemas: map,
    prefixItems: list,
    items: schema,
    contains: schema,
    unevaluatedProperties: schema,
    unevaluatedItems: schema,
    allOf: list,
    anyOf: list,
    oneOf: list,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: schema,
    else: schema,
  }
  const keyword = fc.oneof(
    ...Object.entries(keywords).map(([name, operand]) => operand.map((value) => [name, value] as const)),
  )
  return {
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.boolean(),
      fc.array(keyword, { maxLength: 3 }).map((entries): ValueRecord => Object.fromEntries(entries)),
    ),
  }
})

function weAccept(schema: Value, value: Value): boolean {
  const checked = checkSchema(schema)
  if (!checked.ok) throw new Error(`not a schema: ${checked.error[0]?.message}`)
  return evaluate(checked.value, value).ok
}

describe('agrees with', () => {
  test('cfworker', () => {
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 5 }), (schema, list) => {
        // The validator modifies its schema.
        const validator = new Validator(structuredClone(schema) as ValueRecord, '2020-12')
        expect(list.map((value) => weAccept(schema, value))).toEqual(
          list.map((value) => validator.validate(value).valid),
        )
      }),
      { numRuns: 1000 },
    )
  })

  test('ajv', () => {
    const samples = fc.sample(fc.tuple(schemas, values), { numRuns: 200, seed: 1 })
    const theirs = judgeWithAjv(
      samples.map(([schema]) => schema),
      samples.map(([, value], index) => [index, value]),
    )
    const different = samples.filter(([schema, value], index) => weAccept(schema, value) !== theirs[index])
    expect(different.slice(0, 3)).toEqual([])
    expect(new Set(theirs).size).toBe(2)
  })
})
