import { formatPath, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { checkSchema } from '../../src/schema/check-schema.ts'
import { metaSchema } from '../../src/schema/meta-schema.ts'

/** The problems of a schema, as `path: message`. */
function faults(schema: Value): string[] {
  const checked = checkSchema(schema)
  return checked.ok ? [] : checked.error.map(({ path, message }) => `${formatPath(path)}: ${message}`)
}

describe('OPEN-6: a schema', () => {
  test.each<[Value]>([
    [true],
    [{}],
    [metaSchema],
    [{ type: ['string', 'null'], 'x-vendor': { type: 5 }, default: { type: 5 }, examples: [{ type: 5 }] }],
    [{ enum: [{ $ref: 'elsewhere' }], const: { pattern: '(' } }],
    [{ properties: { $ref: { type: 'string' }, pattern: true, type: true } }],
    [{ $ref: '#/$defs/a', $defs: { a: { $anchor: 'a', items: { $ref: '#a' } } } }],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: true } }],
  ])('may be %j', (schema) => {
    expect(faults(schema)).toEqual([])
  })

  test.each([
    [5, ': expected a mapping or true or false, got 5'],
    [{ type: 'strin' }, 'type: must be one of'],
    [{ type: ['string', 'strin'] }, 'type[1]: must be one of'],
    [{ type: [] }, 'type: must not be empty'],
    [{ properties: { a: 'string' } }, 'properties.a: expected a mapping or true or false, got "string"'],
    [{ properties: [] }, 'properties: expected a mapping, got a list'],
    [
      { items: [{}] },
      'items: expected a mapping or true or false, got a list; for a list of schemas use "prefixItems"',
    ],
    [{ required: 'a' }, 'required: expected a list, got "a"'],
    [{ required: ['a', 'a'] }, 'required: items 0 and 1 are equal'],
    [{ properties: { a: { required: true } } }, 'properties.a.required: expected a list, got true'],
    [{ minLength: -1 }, 'minLength: must be at least 0, got -1'],
    [{ multipleOf: 0 }, 'multipleOf: must be more than 0, got 0'],
    [{ allOf: [] }, 'allOf: must not be empty'],
    [{ enum: 'a' }, 'enum: expected a list, got "a"'],
    [{ $anchor: '1' }, '$anchor: "1" does not match the pattern'],
    [{ $id: 'a#b' }, '$id: "a#b" does not match the pattern'],
  ])('may not be %j', (schema, fault) => {
    expect(faults(schema)[0]?.startsWith(fault), faults(schema).join('\n')).toBe(true)
  })

  test('is checked everywhere', () => {
    const schema = { properties: { a: { type: 'x' }, b: { items: { minimum: '1' } } }, $defs: { c: 1 } }
    expect(faults(schema).map((fault) => fault.split(':')[0])).toEqual([
      'properties.a.type',
      'properties.b.items.minimum',
      '$defs.c',
    ])
  })

  test('has only RE2 patterns', () => {
    const schema = { pattern: 'a(?=b)', patternProperties: { '(': true, '^ok$': { pattern: '(' } } }
    expect(faults(schema).map((fault) => fault.replace(/(?<="): .*$/, ''))).toEqual([
      'pattern: invalid RE2 pattern "a(?=b)"',
      'patternProperties.(: invalid RE2 pattern "("',
    ])
  })

  test('has a limited number of patterns', () => {
    const patterns = Array.from({ length: 2500 }, (_, index) => [`p${index}`, { pattern: `^${index}` }])
    expect(faults({ properties: Object.fromEntries(patterns) })).toEqual([
      'properties.p499.pattern: the schema has more than 2000 different patterns',
    ])
  })
})

describe('OPEN-6: a reference', () => {
  test.each([
    [
      { $ref: 'https://example.org/a' },
      '$ref: the reference "https://example.org/a" is outside this schema; only "#…" is supported',
    ],
    [
      { items: { $ref: 'other.json#/a' } },
      'items.$ref: the reference "other.json#/a" is outside this schema; only "#…" is supported',
    ],
    [{ $ref: '#/$defs/b', $defs: { a: true } }, '$ref: unresolved reference "#/$defs/b"'],
    [{ $ref: '#b' }, '$ref: unresolved reference "#b"'],
    [{ $ref: '#/properties', properties: {} }, '$ref: unresolved reference "#/properties"'],
    [{ $ref: '#/enum/0', enum: [{}] }, '$ref: unresolved reference "#/enum/0"'],
    [{ $ref: '#/%', $defs: {} }, '$ref: unresolved reference "#/%"'],
    [{ $dynamicRef: '#a', $dynamicAnchor: 'a' }, '$dynamicRef: "$dynamicRef" is not supported; use "$ref"'],
  ])('may not be that of %j', (schema, fault) => {
    expect(faults(schema)).toEqual([fault])
  })

  test.each([
    [{ $ref: '#' }, ''],
    [{ allOf: [{ $ref: '#' }] }, 'allOf[0]'],
    [
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
      '$defs.b.not',
    ],
    [{ dependentSchemas: { a: { if: { $ref: '#' } } } }, 'dependentSchemas.a.if'],
  ])('must not be circular: %j', (schema, path) => {
    expect(faults(schema)).toEqual([`${path}: circular $ref`])
  })

  test('may be recursive through a property or an item', () => {
    expect(faults({ properties: { child: { $ref: '#' } }, items: { allOf: [{ $ref: '#' }] } })).toEqual([])
  })

  test('refers to the nearest schema with an id', () => {
    const schema = { $defs: { a: { $id: 'inner', $defs: { b: true }, $ref: '#/$defs/b' } }, $ref: '#/$defs/b' }
    expect(faults(schema)).toEqual(['$ref: unresolved reference "#/$defs/b"'])
  })
})
