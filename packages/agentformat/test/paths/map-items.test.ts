import { describe, expect, test } from 'vitest'
import type { SourceLookup } from '../../src/paths/map-input.ts'
import { mapItems } from '../../src/paths/map-items.ts'

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

describe('the inputs of a batch', () => {
  const batch = (mapping: Record<string, string>, most?: number) => mapItems(mapping, lookup, target, most)

  test('P-09, P-12: one per element, in lockstep, with shared fields and defaults (P-17)', () => {
    expect(batch({ n: 'parent.input.items.[].n', o: 'parent.input.items.[].o', q: 'parent.input.query' })).toEqual({
      ok: true,
      value: {
        total: 2,
        inputs: [
          { n: 1, o: 'a', q: 'why' },
          { n: 2, o: 'none', q: 'why' },
        ],
      },
    })
  })

  test('OPEN-32: at most the maximum, and none for an empty list', () => {
    expect(batch({ n: 'parent.input.items.[].n' }, 1)).toMatchObject({ value: { total: 2, inputs: [{ n: 1 }] } })
    expect(batch({ n: 'parent.input.empty.[]' })).toEqual({ ok: true, value: { total: 0, inputs: [] } })
  })

  test('OPEN-32: an error names its element', () => {
    expect(batch({ n: 'parent.input.items.[].o' })).toMatchObject({
      ok: false,
      error: [
        { field: 'n', item: 0, code: 'type_mismatch' },
        { field: 'n', item: 1, code: 'missing_value' },
      ],
    })
  })

  test.each([
    ['parent.input.query.[]', 'type_mismatch'],
    ['parent.input.maybe.[]', 'missing_value'],
    ['parent.input.gone.[]', 'field_absent'],
    ['later.output.x.[]', 'dependency_order'],
    ['parent.input.a.[].b.[]', 'invalid_path_expression'],
  ])('%s fails once with %s', (text, code) => {
    expect(batch({ n: text })).toMatchObject({ ok: false, error: [{ field: 'n', code }] })
  })

  test('P-10: lists of different lengths are an error', () => {
    expect(batch({ n: 'parent.input.items.[].n', m: 'parent.input.other.[]' })).toMatchObject({
      error: [{ field: 'm', code: 'length_mismatch' }],
    })
  })

  test('R-21: a mapping without iteration is an error', () => {
    expect(batch({ n: 'parent.input.hidden' })).toMatchObject({ error: [{ code: 'batch_without_iteration' }] })
  })
})
