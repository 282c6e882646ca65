import { err, ok, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../src/model/document.ts'
import { buildInput, fitTarget, mapInput, type SourceLookup } from '../../src/paths/map-input.ts'

describe('map input', () => {
  const schema = {
    type: 'object',
    properties: {
      query: { type: 'string' },
      maybe: {},
      items: { type: 'array', items: { properties: { n: {}, o: {} } } },
    },
  }
  const lookup: SourceLookup = (source, direction) => {
    if (source === 'parent' && direction === 'input') {
      return {
        schema,
        value: { query: 'why', hidden: 1, items: [{ n: 1, o: 'a' }, { n: 2 }], empty: [], other: [1, 2, 3] },
      }
    }
    return source === 'done' && direction === 'output' ? { schema: {}, value: { n: 7 } } : undefined
  }
  const target = {
    type: 'object',
    properties: { n: { type: 'integer' }, o: { type: 'string', default: 'none' } },
    required: ['n'],
  }

  describe('one input', () => {
    test('is built field by field, with undeclared values that exist (OPEN-8)', () => {
      const mapping = { q: 'parent.input.query', h: 'parent.input.hidden', n: 'done.output.n', m: 'parent.input.maybe' }
      expect(mapInput(mapping, lookup, {})).toEqual({ ok: true, value: { q: 'why', h: 1, n: 7 } })
    })

    test('OPEN-23: an empty mapping builds an empty object', () => {
      expect(mapInput({}, lookup, target)).toEqual({ ok: true, value: {} })
    })

    test('reports all errors at once', () => {
      const mapping = {
        n: 'parent.input.query',
        a: 'hello',
        b: 'later.output.x',
        c: 'parent.input.gone',
        d: 'parent.input.query.x',
        e: 'parent.input.items.[]',
      }
      const built = mapInput(mapping, lookup, target)
      expect(built.ok ? [] : built.error.map(({ field, code }) => [field, code])).toEqual([
        ['n', 'type_mismatch'],
        ['a', 'invalid_path_expression'],
        ['b', 'dependency_order'],
        ['c', 'field_absent'],
        ['d', 'type_mismatch'],
        ['e', 'type_mismatch'],
      ])
    })

    test('a field named __proto__ is an ordinary field', () => {
      const built = mapInput(JSON.parse('{"__proto__":"parent.input.query"}'), lookup, {})
      expect(built.ok && Object.hasOwn(built.value, '__proto__')).toBe(true)
    })
  })
})

describe('fit target', () => {
  const target = (schema: JsonSchema, required = false): JsonSchema => ({
    type: 'object',
    properties: { x: schema },
    required: required ? ['x'] : [],
  })
  const fit = (value: Value | undefined, schema: JsonSchema, required = false) =>
    fitTarget(value, target(schema, required), 'x')

  describe('P-13, P-14: types without coercion', () => {
    test.each<[Value, JsonSchema]>([
      ['5', { type: 'string' }],
      [5, { type: 'integer' }],
      [5, { type: 'number' }],
      [5.5, { type: 'number' }],
      [{ a: 1 }, { type: 'object' }],
      ['x', {}],
      ['x', { anyOf: [{ type: 'integer' }, { type: 'string' }] }],
      // The type is right and the value is wrong: that is left to the validation of the whole input.
      ['x', { type: 'string', minLength: 5 }],
    ])('%j fits %j', (value, schema) => {
      expect(fit(value, schema)).toEqual(ok(value))
    })

    test.each<[Value, JsonSchema]>([
      ['5', { type: 'integer' }],
      [5, { type: 'string' }],
      [5.5, { type: 'integer' }],
      [1, { type: 'boolean' }],
      ['true', { type: 'boolean' }],
      [[], { type: 'object' }],
      ['x', { const: 5 }],
      ['x', { $ref: '#/properties/y' }],
    ])('%j does not fit %j', (value, schema) => {
      const whole = { properties: { x: schema, y: { type: 'integer' } } }
      expect(fitTarget(value, whole, 'x')).toMatchObject({ error: { code: 'type_mismatch' } })
    })

    test('a field that the target forbids is a mismatch too', () => {
      expect(fitTarget(1, { additionalProperties: false }, 'x')).toMatchObject({ error: { code: 'type_mismatch' } })
      expect(fitTarget(1, {}, 'x')).toEqual(ok(1))
    })
  })

  describe('null', () => {
    test('P-15: is accepted by a nullable optional field', () => {
      expect(fit(null, { type: ['string', 'null'] })).toEqual(ok(null))
      expect(fit(null, {})).toEqual(ok(null))
    })

    test('P-16, OPEN-10: is an error for a required field, even a nullable one', () => {
      expect(fit(null, { type: ['string', 'null'] }, true)).toMatchObject({ error: { code: 'null_for_required' } })
    })

    test('OPEN-10: is a type mismatch for an optional field that is not nullable', () => {
      expect(fit(null, { type: 'string' })).toMatchObject({ error: { code: 'type_mismatch' } })
    })
  })

  describe('an absent value', () => {
    test('P-17: uses the default, required or not', () => {
      expect(fit(undefined, { default: 5 }, true)).toEqual(ok(5))
      expect(fit(undefined, { default: null })).toEqual(ok(null))
    })

    test('P-17: finds a default next to and behind a reference', () => {
      const schema = {
        properties: { x: { $ref: '#/$defs/d' }, y: { $ref: '#/$defs/e', default: 2 } },
        $defs: { d: { default: 1 }, e: {} },
      }
      expect(fitTarget(undefined, schema, 'x')).toEqual(ok(1))
      expect(fitTarget(undefined, schema, 'y')).toEqual(ok(2))
      // Before 2019-09, keywords beside a reference are ignored.
      const old = { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }
      expect(fitTarget(undefined, old, 'y')).toEqual(ok(undefined))
    })

    test('P-18: is an error for a required field without a default', () => {
      expect(fit(undefined, {}, true)).toMatchObject({ error: { code: 'missing_value' } })
    })

    test('OPEN-9: omits an optional field', () => {
      expect(fit(undefined, {})).toEqual(ok(undefined))
    })
  })

  test('P-05: an error of the path is the error of the field', () => {
    const target = { properties: { x: { default: 5 } } }
    expect(buildInput([['x', err({ code: 'field_absent', message: 'gone' })]], target)).toEqual(
      err([{ code: 'field_absent', message: 'gone', field: 'x' }]),
    )
  })
})
