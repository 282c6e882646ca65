import { describe, expect, test } from 'vitest'
import { problems } from '../problems.ts'

const text = { type: 'string' }

test.each([
  [{ required: ['a', 'b'] }, { b: 1 }, ['a required: "a" is missing']],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ['b dependentRequired: "b" is missing; "a" requires it']],
  [{ properties: { a: text } }, { a: 1, b: 2 }, ['a type: expected a string, got 1']],
  [{ patternProperties: { '^x': text } }, { xa: 1, xb: 'b', y: 2 }, ['xa type: expected a string, got 1']],
  [{ additionalProperties: text, properties: { a: true } }, { a: 1, b: 2 }, ['b type: expected a string, got 2']],
  [
    { additionalProperties: false, properties: { limits: true, other: true }, patternProperties: { '^x-': true } },
    { limit: 1, 'x-a': 1 },
    ['limit additionalProperties: "limit" is not allowed here. Did you mean "limits"?'],
  ],
  [
    { additionalProperties: false, properties: { a: true, b: true } },
    { quite_different: 1 },
    ['quite_different additionalProperties: "quite_different" is not allowed here. Known: a, b.'],
  ],
  [
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1, b: 2 },
    ['b unevaluatedProperties: "b" is not allowed here.'],
  ],
  [
    { propertyNames: { pattern: '^[a-z]+$' } },
    { a: 1, B: 2 },
    ['B propertyNames: the name "B" is not allowed here: "B" does not match the pattern "^[a-z]+$"'],
  ],
  [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, ['b required: "b" is missing']],
])('%j refuses %j', (schema, value, expected) => {
  expect(problems(schema, value)).toEqual(expected)
})

test('problems come in the order of the value', () => {
  const schema = { properties: { a: text, b: text, c: text } }
  expect(problems(schema, { c: 1, a: 2, b: 3 }).map((problem) => problem[0])).toEqual(['c', 'a', 'b'])
})

describe('names of the prototype', () => {
  const withProto = JSON.parse('{"__proto__": 1}')

  test('are missing unless they are own properties', () => {
    expect(problems({ required: ['toString', '__proto__'] }, {})).toHaveLength(2)
    expect(problems({ properties: { toString: text, constructor: text } }, {})).toEqual([])
    expect(problems({ dependentRequired: { constructor: ['a'] } }, {})).toEqual([])
  })

  test('are ordinary names when they are own properties', () => {
    expect(problems({ additionalProperties: false }, withProto)).toHaveLength(1)
    expect(problems({ required: ['__proto__'] }, withProto)).toEqual([])
    expect(problems(JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'), withProto)).toEqual([
      '__proto__ type: expected a string, got 1',
    ])
    expect(
      problems(JSON.parse('{"properties": {"__proto__": true}, "additionalProperties": false}'), withProto),
    ).toEqual([])
  })
})
