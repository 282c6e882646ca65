import { describe, expect, test } from 'vitest'
import { newEffort } from '../../src/data-flow/effort.ts'
import { childNode, conjuncts, followRef, rootNode } from '../../src/data-flow/schema-node.ts'
import type { JsonSchema } from '../../src/model/document.ts'

const target = { title: 'target' }
const follow = (schema: JsonSchema) => followRef(rootNode(schema), newEffort())?.schema

describe('references', () => {
  test.each<[string, JsonSchema]>([
    ['a pointer', { $ref: '#/$defs/x', $defs: { x: target } }],
    ['escapes', { $ref: '#/$defs/a~1b~0c', $defs: { 'a/b~c': target } }],
    ['percent escapes', { $ref: '#/$defs/a%20b', $defs: { 'a b': target } }],
    ['an index', { $ref: '#/allOf/0', allOf: [target] }],
  ])('follows %s', (_name, schema) => {
    expect(follow(schema)).toBe(target)
  })

  test('follows an anchor', () => {
    const anchored = { $anchor: 'here' }
    expect(follow({ $ref: '#here', $defs: { x: [anchored] } })).toBe(anchored)
    const older = { $id: '#here', properties: { y: { $ref: '#/$defs/z' } } }
    const root = { $defs: { x: older, z: target } }
    expect(follow({ $ref: '#here', ...root })).toBe(older)
    // Such an id does not start a resource of its own, so "#" is still the root.
    const part = childNode(rootNode(root), older)
    const below = part && childNode(part, older.properties.y)
    expect(below && followRef(below, newEffort())?.schema).toBe(target)
  })

  test('follows the root, which is the nearest schema with an id', () => {
    const schema: JsonSchema = { $ref: '#' }
    expect(follow(schema)).toBe(schema)
    const inner = { $id: 'https://example.com/inner', properties: { x: { $ref: '#' } } }
    const part = childNode(rootNode({ inner }), inner)
    const below = part && childNode(part, inner.properties.x)
    expect(below && followRef(below, newEffort())?.schema).toBe(inner)
  })

  test.each([
    '#/$defs/none',
    '#/$defs/%ZZ',
    '#/__proto__',
    '#/constructor/prototype',
    '#nowhere',
    'https://example.com/x',
    'other.json',
    `#/${'a/'.repeat(2000)}`,
  ])('does not follow %s', (ref) => {
    expect(follow({ $ref: ref, $defs: {} })).toBeUndefined()
  })
})

describe('conjuncts', () => {
  const titles = (schema: JsonSchema) =>
    conjuncts([rootNode(schema)], newEffort()).flatMap(({ schema: part }) =>
      typeof part === 'boolean' ? [part] : [part.title],
    )

  test('are the schema, its reference and its allOf', () => {
    const schema = { title: 'a', $ref: '#/$defs/b', allOf: [{ title: 'c' }, true, false], $defs: { b: { title: 'b' } } }
    expect(titles(schema).sort()).toEqual(['a', 'b', 'c', false])
  })

  test('are the reference alone up to draft 7', () => {
    const schema = {
      title: 'a',
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/$defs/b',
      $defs: { b: { title: 'b' } },
    }
    expect(titles(schema)).toEqual(['b'])
  })

  test('end for cycles and for hostile sizes', () => {
    expect(titles({ title: 'a', allOf: [{ $ref: '#' }] })).toEqual(['a', undefined])
    const wide = { allOf: Array.from({ length: 300_000 }, () => ({})) }
    expect(conjuncts([rootNode(wide)], newEffort(1000)).length).toBeLessThanOrEqual(1000)
  })
})
