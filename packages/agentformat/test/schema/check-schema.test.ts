import { formatPath, type Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema, type JsonSchema, validateValue } from '../../src/index.ts'
import { checkSchema } from '../../src/schema/check-schema.ts'
import { metaSchema } from '../../src/schema/meta-schema.ts'
import { problems } from './problems.ts'

const OUTSIDE = 'is outside this schema; only "#…" is supported'
const TOO_DEEP = 'the value and its schema are nested more than 500 levels deep'

describe('check schema', () => {
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
        'items: expected a mapping or true or false, got a list; use "prefixItems" for a list of schemas',
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
      [{ $ref: 'https://example.org/a' }, `$ref: the reference "https://example.org/a" ${OUTSIDE}`],
      [{ items: { $ref: 'other.json#/a' } }, `items.$ref: the reference "other.json#/a" ${OUTSIDE}`],
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
})

describe('validate value', () => {
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
      ).toEqual([`limit: ${TOO_DEEP}`])
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
      expect(problems(schema, [])).toEqual([`schema: invalid schema: ${TOO_DEEP}`])
    })

    test('a schema that doubles at each level', () => {
      const $defs: Record<string, Value> = { d40: {} }
      for (let level = 0; level < 40; level++) {
        const next = { $ref: `#/$defs/d${level + 1}` }
        $defs[`d${level}`] = { allOf: [next, next] }
      }
      expect(problems({ $defs, $ref: '#/$defs/d0' }, 1)).toEqual([
        'limit: validation against the schema takes too many steps',
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
})
