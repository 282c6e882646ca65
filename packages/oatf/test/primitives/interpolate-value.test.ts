import { deepEqual, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { interpolateValue } from '../../src/primitives/interpolate-value.ts'
import { deepFreeze, deepList, deepRecord } from '../deep-value.ts'

const extractors = { who: 'world', tricky: '{{who}}' }

describe('interpolateValue', () => {
  test.each<[value: Value, expected: Value]>([
    ['hello {{who}}', 'hello world'],
    ['no template', 'no template'],
    ['{ {', '{ {'],
    ['\\{{who}}', '{{who}}'],
    [null, null],
    [true, true],
    [42, 42],
    [-0.5, -0.5],
    [[], []],
    [{}, {}],
    [
      ['{{who}}', 1, null, ['{{who}}']],
      ['world', 1, null, ['world']],
    ],
    [
      { a: '{{who}}', b: { c: ['{{who}}'] } },
      { a: 'world', b: { c: ['world'] } },
    ],
    [{ '{{who}}': 'a key is not a template' }, { '{{who}}': 'a key is not a template' }],
    [{ a: '{{tricky}}' }, { a: '{{who}}' }],
    [
      { a: '{{request.n}}', b: '{{response.n}}' },
      { a: '1', b: '2' },
    ],
  ])('%j', (value, expected) => {
    expect(interpolateValue(value, extractors, { n: 1 }, { n: 2 })).toEqual({ value: expected, diagnostics: [] })
  })

  test('diagnostics of all strings come together', () => {
    const { value, diagnostics } = interpolateValue({ a: '{{x}}', b: [{ c: '{{y}}{{z}}' }], d: '{{who}}' }, extractors)
    expect(value).toEqual({ a: '', b: [{ c: '' }], d: 'world' })
    expect(diagnostics.map((found) => found.code)).toEqual(['W-004', 'W-004', 'W-004'])
  })

  test('the input stays as it was', () => {
    const input = deepFreeze({ a: ['{{who}}'], b: { c: '{{who}}' } })
    const { value } = interpolateValue(input, extractors)
    expect(value).toEqual({ a: ['world'], b: { c: 'world' } })
    expect(input).toEqual({ a: ['{{who}}'], b: { c: '{{who}}' } })
  })

  test('keys keep their order, and prototype names are keys', () => {
    const input: Value = JSON.parse('{"z": "{{who}}", "__proto__": {"x": "{{who}}"}, "a": 1}')
    const { value } = interpolateValue(input, extractors)
    expect(JSON.stringify(value)).toBe('{"z":"world","__proto__":{"x":"world"},"a":1}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('no depth is too deep', () => {
    const { value, diagnostics } = interpolateValue(deepList(100_000, '{{who}}'), extractors)
    expect(deepEqual(value, deepList(100_000, 'world'))).toBe(true)
    expect(diagnostics).toEqual([])
    expect(deepEqual(interpolateValue(deepRecord(100_000), {}).value, deepRecord(100_000))).toBe(true)
  })

  test('half a million undefined references are reported one by one', () => {
    expect(interpolateValue(['{{x}}'.repeat(500_000)], {}).diagnostics).toHaveLength(500_000)
  })
})
