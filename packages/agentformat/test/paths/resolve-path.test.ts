import { ok, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { readPathExpression } from '../../src/paths/path-expression.ts'
import { resolveItems, resolvePath } from '../../src/paths/resolve-path.ts'

const expression = (text: string) => {
  const read = readPathExpression(text)
  if (!read.ok) throw new Error(read.error.message)
  return read.value
}
const at = (path: string, root: Value, declared = true) =>
  resolvePath(expression(`parent.input.${path}`), root, declared)
const over = (path: string, root: Value, list = true, item = list) =>
  resolveItems(expression(`parent.input.${path}`), root, { list, item })

describe('one value', () => {
  test('is found, null included (P-15)', () => {
    expect(at('a.b', { a: { b: 5 } })).toEqual(ok(5))
    expect(at('a', { a: null })).toEqual(ok(null))
    expect(at('a', { a: [1] }, false)).toEqual(ok([1]))
  })

  test('OPEN-8: the target decides about a declared but missing field', () => {
    expect(at('a', {})).toEqual(ok(undefined))
  })

  test('P-05: an undeclared and missing field is an error', () => {
    expect(at('a', {}, false)).toMatchObject({ ok: false, error: { code: 'field_absent' } })
    expect(at('a.b', { a: {} }, false)).toMatchObject({ ok: false, error: { code: 'field_absent' } })
  })

  test('OPEN-11: null or nothing in the middle counts as missing', () => {
    expect(at('a.b.c', { a: null })).toEqual(ok(undefined))
    expect(at('a.b.c', { a: {} })).toEqual(ok(undefined))
  })

  test.each([5, 'text', true, [{ b: 1 }]])('OPEN-11: a name in %j is a type mismatch', (middle) => {
    expect(at('a.b', { a: middle })).toMatchObject({ ok: false, error: { code: 'type_mismatch' } })
  })

  test('OPEN-11: only own properties count', () => {
    expect(at('constructor', {})).toEqual(ok(undefined))
    expect(at('__proto__', {})).toEqual(ok(undefined))
    expect(at('__proto__.x', JSON.parse('{"__proto__":{"x":1}}'))).toEqual(ok(1))
    expect(at('a.length', { a: 'text' })).toMatchObject({ ok: false, error: { code: 'type_mismatch' } })
  })

  test('does not iterate', () => {
    expect(at('a.[]', { a: [1] })).toMatchObject({ ok: false, error: { code: 'type_mismatch' } })
  })
})

describe('each element', () => {
  test('P-12: one outcome per element, in order', () => {
    expect(over('a.[].b', { a: [{ b: 1 }, {}, { b: null }] })).toEqual(ok([ok(1), ok(undefined), ok(null)]))
    expect(over('a.[]', { a: [1, 2] })).toEqual(ok([ok(1), ok(2)]))
    expect(over('a.[]', { a: [] })).toEqual(ok([]))
  })

  test.each([null, 5, 'abc', { 0: 'a' }])('P-06: iterating over %j is a type mismatch', (list) => {
    expect(over('a.[]', { a: list })).toMatchObject({ ok: false, error: { code: 'type_mismatch' } })
  })

  test('a missing list', () => {
    expect(over('a.[]', {})).toEqual(ok(undefined))
    expect(over('a.[]', {}, false)).toMatchObject({ ok: false, error: { code: 'field_absent' } })
  })

  test('an element that lacks the field, declared or not', () => {
    expect(over('a.[].b', { a: [{}] }, true, false)).toMatchObject({
      value: [{ ok: false, error: { code: 'field_absent' } }],
    })
    expect(over('a.[].b', { a: [5] })).toMatchObject({ value: [{ ok: false, error: { code: 'type_mismatch' } }] })
  })

  test('needs a "[]"', () => {
    expect(over('a', { a: [1] })).toMatchObject({ ok: false, error: { code: 'type_mismatch' } })
  })
})
