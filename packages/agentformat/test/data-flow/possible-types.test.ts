import { readSource } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { newEffort } from '../../src/data-flow/effort.ts'
import { ANY_TYPE, NO_TYPE, typeNames, typeOf } from '../../src/data-flow/json-types.ts'
import { possibleTypes } from '../../src/data-flow/possible-types.ts'
import { rootNode } from '../../src/data-flow/schema-node.ts'
import type { JsonSchema } from '../../src/model/document.ts'

const types = (schema: JsonSchema) => possibleTypes([rootNode(schema)], newEffort())

describe('the possible types of a schema', () => {
  test.each([
    ['{}', 'anything'],
    ['true', 'anything'],
    ['false', 'nothing'],
    ['{ type: string }', 'string'],
    ['{ type: number }', 'number'],
    ['{ type: integer }', 'integer'],
    ['{ type: [string, "null"] }', 'null or string'],
    ['{ const: 5.5 }', 'number with a fraction'],
    ['{ enum: [1, a, null] }', 'null or string or integer'],
    ['{ type: number, const: 1.0 }', 'integer'],
    ['{ type: string, enum: [1] }', 'nothing'],
    ['{ anyOf: [{ type: string }, { type: boolean }] }', 'boolean or string'],
    ['{ oneOf: [{ type: string }], anyOf: [{ type: string }, { type: boolean }] }', 'string'],
    ['{ allOf: [{ type: [string, boolean] }, { type: [boolean, object] }] }', 'boolean'],
    ['{ $ref: "#/$defs/x", $defs: { x: { type: string } } }', 'string'],
    // Keywords that can only remove types are ignored.
    ['{ type: [string, integer], not: { type: string } }', 'string or integer'],
    ['{ if: { type: string }, then: { type: integer } }', 'anything'],
    // Circular references allow anything, and so do invalid schemas.
    ['{ $ref: "#" }', 'anything'],
    ['{ anyOf: [{ $ref: "#" }, { type: string }] }', 'anything'],
    ['{ type: nonsense }', 'anything'],
    ['{ type: 5, enum: a, anyOf: {} }', 'anything'],
    ['{ anyOf: [] }', 'anything'],
    ['{ type: [] }', 'nothing'],
  ])('%s: %s', (text, expected) => {
    const source = readSource(text)
    expect(source.ok && typeNames(types(source.value.value as JsonSchema))).toBe(expected)
  })

  test('a circular chain of references allows all types, quickly', () => {
    const links = Array.from({ length: 5000 }, (_, index) => [
      `d${index}`,
      { anyOf: [{ $ref: `#/$defs/d${index + 1}` }] },
    ])
    expect(types({ $ref: '#/$defs/d0', $defs: Object.fromEntries(links) })).toBe(ANY_TYPE)
  })

  test('exponential references are cut off', () => {
    const twice = (name: string) => ({ anyOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] })
    const links = Array.from({ length: 60 }, (_, index) => [`d${index}`, twice(`d${index + 1}`)])
    expect(types({ ...twice('d0'), $defs: { ...Object.fromEntries(links), d60: { type: 'string' } } })).toBe(ANY_TYPE)
  })

  test('without effort left no type is excluded', () => {
    expect(possibleTypes([rootNode({ type: 'string' })], newEffort(0))).toBe(ANY_TYPE)
  })
})

test('every value has one type', () => {
  const values = [null, true, {}, [], 'a', 1, 1.5]
  expect(values.map((value) => typeNames(typeOf(value)))).toEqual([
    'null',
    'boolean',
    'object',
    'array',
    'string',
    'integer',
    'number with a fraction',
  ])
  expect(values.reduce((set: number, value) => set | typeOf(value), NO_TYPE)).toBe(ANY_TYPE)
})
