import { describe, expect, test } from 'vitest'
import { newEffort } from '../../src/data-flow/effort.ts'
import { typeNames } from '../../src/data-flow/json-types.ts'
import { possibleTypes } from '../../src/data-flow/possible-types.ts'
import type { JsonSchema } from '../../src/model/document.ts'
import { schemasAt } from '../../src/paths/schemas-at.ts'

const at = (schema: JsonSchema, path: string) => {
  const { nodes, always } = schemasAt(schema, path.split('.'), newEffort())
  return [typeNames(possibleTypes(nodes, newEffort())), always]
}

describe('schemasAt', () => {
  test.each<[JsonSchema, string, string, boolean]>([
    [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, 'a', 'string', true],
    [{ type: 'object', properties: { a: { type: 'string' } } }, 'a', 'string', false],
    // Without a type the value may be something other than an object, which has no fields.
    [{ properties: { a: { type: 'string' } }, required: ['a'] }, 'a', 'string', false],
    [{ allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'string' } } }] }, 'a', 'string', true],
    [{ type: 'object', properties: { a: { items: { type: 'integer' } } }, required: ['a'] }, 'a.[]', 'integer', true],
    [
      { type: 'object', properties: { a: { anyOf: [{ properties: { b: { type: 'string' } } }] } } },
      'a.b',
      'anything',
      false,
    ],
    [{}, 'a.b.[].c', 'anything', false],
    [{ additionalProperties: false }, 'a', 'nothing', false],
    [{ additionalProperties: { type: 'string' } }, 'a', 'string', false],
    [{ additionalProperties: false, patternProperties: { '^a': {} } }, 'a', 'anything', false],
  ])('%j at %s', (schema, path, types, always) => {
    expect(at(schema, path)).toEqual([types, always])
  })
})
