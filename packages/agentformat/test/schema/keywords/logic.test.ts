import { describe, expect, test } from 'vitest'
import { problems } from '../problems.ts'

const text = { type: 'string' }

// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
const choice = { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } }

test.each([
  [{ allOf: [text, { minLength: 2 }] }, 'a', ['minLength: must have at least 2 characters, has 1']],
  [{ not: { type: 'null' } }, null, ['not: must not match "not"']],
  [{ not: { const: 0, description: 'zero is reserved' } }, 0, ['not: must not match "not": zero is reserved']],
  [choice, { a: 1 }, ['b required: "b" is missing']],
  [choice, {}, ['c required: "c" is missing']],
  [{ $ref: '#/$defs/t', $defs: { t: text } }, 1, ['type: expected a string, got 1']],
  [
    { $ref: '#t', minLength: 2, $defs: { any: { ...text, $anchor: 't' } } },
    'a',
    ['minLength: must have at least 2 characters, has 1'],
  ],
  [{ $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': false } }, 1, ['false: no value is allowed here']],
  [
    { properties: { child: { $ref: '#' }, name: text } },
    { child: { child: { name: 1 } } },
    ['child.child.name type: expected a string, got 1'],
  ],
])('%j refuses %j', (schema, value, expected) => {
  expect(problems(schema, value)).toEqual(expected)
})

describe('alternatives', () => {
  const shape = { type: 'object', required: ['name'], properties: { name: text } }

  test('report the problems of the only alternative of that type', () => {
    expect(problems({ oneOf: [text, shape] }, { name: 1 })).toEqual(['name type: expected a string, got 1'])
    expect(problems({ anyOf: [text, shape] }, {})).toEqual(['name required: "name" is missing'])
  })

  test('list the types when no type matches', () => {
    expect(problems({ oneOf: [text, shape, { type: ['string', 'null'] }] }, 1)).toEqual([
      'type: expected a string or a mapping or null, got 1',
    ])
  })

  test('give a reason for each alternative of that type', () => {
    const byKind = { anyOf: [{ required: ['a'] }, { properties: { b: { const: 1 } } }], description: 'one of two' }
    expect(problems(byKind, { b: 2 })).toEqual([
      'anyOf: matches none of the alternatives: one of two ("a" is missing; b: must be 1, got 2)',
    ])
  })

  test('of `oneOf` are exclusive', () => {
    expect(problems({ oneOf: [true, {}, false] }, 1)).toEqual(['oneOf: matches 2 alternatives; exactly one is allowed'])
    expect(problems({ anyOf: [true, {}, false] }, 1)).toEqual([])
  })
})

test('a schema without a type is an alternative for every type', () => {
  expect(problems({ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'c')).toEqual([
    'anyOf: matches none of the alternatives (must be "a", got "c"; must be "b", got "c")',
  ])
})

test('descriptions are put on one line', () => {
  const schema = { properties: { a: { pattern: 'x', description: 'first\n\u001b[31msecond\u202e' } } }
  expect(problems(schema, { a: 'b' })).toEqual(['a pattern: "b" does not match the pattern "x": first [31msecond '])
})
