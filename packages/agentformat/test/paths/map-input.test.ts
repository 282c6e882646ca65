import { describe, expect, test } from 'vitest'
import { mapInput, type SourceLookup } from '../../src/paths/map-input.ts'

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
