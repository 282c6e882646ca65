import { describe, expect, test } from 'vitest'
import { newEffort } from '../../src/data-flow/effort.ts'
import type { JsonSchema } from '../../src/model/document.ts'
import { declaredFields, declaresPath, findUndeclared } from '../../src/paths/declares-path.ts'

const declares = (schema: JsonSchema, path: string) => declaresPath(schema, path.split('.'))

describe('OPEN-8: what a schema declares', () => {
  test.each<[JsonSchema, string]>([
    [{ properties: { a: {} } }, 'a'],
    [{ properties: { a: true } }, 'a'],
    [{ properties: { a: { properties: { b: {} } } } }, 'a.b'],
    [{ $ref: '#/$defs/x', $defs: { x: { properties: { a: {} } } } }, 'a'],
    [{ properties: { a: { $ref: '#' } } }, 'a.a.a.a'],
    [{ properties: { a: { $ref: '#here' } }, $defs: { x: { $anchor: 'here', properties: { b: {} } } } }, 'a.b'],
    [{ properties: { a: { $ref: '#/$defs/p~1q%20r' } }, $defs: { 'p/q r': { properties: { b: {} } } } }, 'a.b'],
    [{ allOf: [{}, { properties: { a: {} } }] }, 'a'],
    [{ anyOf: [{ type: 'string' }, { oneOf: [{ properties: { a: {} } }] }] }, 'a'],
    [JSON.parse('{"if":{},"then":{"properties":{"a":{}}}}'), 'a'],
    [{ if: {}, else: { properties: { a: {} } } }, 'a'],
    [{ dependentSchemas: { x: { properties: { a: {} } } } }, 'a'],
    [{ patternProperties: { '^a': {} } }, 'a1'],
    [{ additionalProperties: { type: 'string' } }, 'anything'],
    [{ patternProperties: { '^b': {} }, additionalProperties: { type: 'string' } }, 'a'],
    [{ anyOf: [{ properties: { a: {} } }, { $ref: '#/$defs/x' }, { $ref: '#/$defs/x' }], $defs: { x: {} } }, 'a'],
    [{ properties: { a: { type: 'array' } } }, 'a.[]'],
    [{ properties: { a: { type: ['array', 'null'], items: { properties: { b: {} } } } } }, 'a.[].b'],
    [{ properties: { a: { prefixItems: [{ properties: { b: {} } }] } } }, 'a.[].b'],
    [{ properties: { a: { items: [{ properties: { b: {} } }] } } }, 'a.[].b'],
  ])('%j declares %s', (schema, path) => {
    expect(declares(schema, path)).toBe(true)
  })

  test.each<[JsonSchema, string]>([
    [{}, 'a'],
    [true, 'a'],
    [false, 'a'],
    [{ type: 'object' }, 'a'],
    [{ additionalProperties: true }, 'a'],
    [{ additionalProperties: {} }, 'a'],
    [{ properties: { a: false } }, 'a'],
    [{ properties: { a: { type: 'string' } } }, 'a.b'],
    [{ properties: { a: {} } }, 'a.[]'],
    [{ properties: { a: { type: 'array' } } }, 'a.[].b'],
    [{ properties: { a: { type: 'array', items: false } } }, 'a.[]'],
    [{ not: { properties: { a: {} } } }, 'a'],
    [{ patternProperties: { '^b': {} } }, 'a'],
    [{ patternProperties: { '(': {} } }, 'a'],
    [{ $ref: '#/nowhere/at/all' }, 'a'],
    [{ $ref: 'https://example.com/schema' }, 'a'],
    [{ $ref: '#' }, 'a'],
    [{}, 'constructor'],
    [{ properties: {} }, '__proto__'],
    // Keywords with operands of the wrong type.
    [{ properties: ['a'] }, 'a'],
    [{ allOf: 'a', anyOf: [5, null], else: 7, dependentSchemas: [] }, 'a'],
  ])('%j does not declare %s', (schema, path) => {
    expect(declares(schema, path)).toBe(false)
  })
})

test('returns the missing segment and the declared names', () => {
  const schema = { properties: { a: { anyOf: [{ properties: { b: {} } }, { properties: { b: {}, c: {} } }] } } }
  const undeclared = findUndeclared(schema, ['a', 'd'], newEffort())
  expect(undeclared?.index).toBe(1)
  expect([...(undeclared?.names ?? [])].sort()).toEqual(['b', 'c'])
})

test('makes no claim when the effort is used up', () => {
  const schema = { anyOf: Array.from({ length: 1000 }, () => ({ properties: { a: {} } })) }
  expect(findUndeclared(schema, ['z'], newEffort(100))).toBeUndefined()
  expect(findUndeclared(schema, ['z'], newEffort())).toMatchObject({ index: 0 })
})

test('declaredFields lists the fields at a path', () => {
  const item = { type: 'object', properties: { text: {}, url: {} } } as const
  const schema: JsonSchema = {
    properties: { facts: { type: 'array', items: item } },
    anyOf: [{ properties: { more: {} } }],
  }
  expect(declaredFields(schema, [])).toEqual(['facts', 'more'])
  expect(declaredFields(schema, ['facts', '[]'])).toEqual(['text', 'url'])
  expect(declaredFields(schema, ['nothing'])).toEqual([])
})
