import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compactJson, compareCodePoints, valueToText } from '../../src/json/compact-json.ts'
import { readJson } from '../../src/json/read-json.ts'
import { writeJson } from '../../src/json/write-json.ts'
import { withLimits } from '../../src/model/limits.ts'
import type { Value } from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { nested, record, text, value } from '../support.ts'

const FACE = '\u{1f600}'
const TILDE = '\uff5e'

describe('compactJson', () => {
  test.each<[string, Value, string]>([
    ['scalars', [null, true, 1, -1.5, 'x'], '[null,true,1,-1.5,"x"]'],
    ['no white space', { a: [1, { b: 2 }], c: {} }, '{"a":[1,{"b":2}],"c":{}}'],
    ['keys by code point, not by UTF-16 unit', { [FACE]: 1, [TILDE]: 2, z: 3 }, `{"z":3,"${TILDE}":2,"${FACE}":1}`],
    ['integer keys as text', { 10: 1, 9: 2, 1: 3 }, '{"1":3,"10":1,"9":2}'],
    ['prefixes first', { ab: 1, a: 2, '': 3 }, '{"":3,"a":2,"ab":1}'],
    ['-0 as 0', -0, '0'],
    ['large and small numbers as JavaScript does', [1e21, 1e-7, 42.0], '[1e+21,1e-7,42]'],
    [
      'large integers with all their digits',
      [9007199254740993n, { a: -(2n ** 63n) }],
      '[9007199254740993,{"a":-9223372036854775808}]',
    ],
    ['lone surrogates escaped', ['\ud800', { '\udc00': 1 }], '["\\ud800",{"\\udc00":1}]'],
    ['__proto__ as a key', record([['__proto__', { a: 1 }]]), '{"__proto__":{"a":1}}'],
    ['toJSON as a key', { toJSON: 'x' }, '{"toJSON":"x"}'],
    ['numbers that JSON has not', [Number.NaN, Number.POSITIVE_INFINITY], '[null,null]'],
  ])('%s', (_, from, to) => expect(compactJson(from)).toEqual({ ok: true, value: to }))

  test('keeps the order of keys on request', () => {
    expect(compactJson({ b: 1, a: { d: 2, c: 3 } }, 'document')).toEqual({
      ok: true,
      value: '{"b":1,"a":{"d":2,"c":3}}',
    })
  })

  test('is limited to 512 levels', () => {
    expect(compactJson(nested(512))).toEqual({ ok: true, value: `${'['.repeat(512)}0${']'.repeat(512)}` })
    expect(compactJson(nested(513))).toEqual({
      ok: false,
      error: { limit: 'compactJsonDepth', maximum: 512, message: 'over the limit compactJsonDepth = 512' },
    })
    expect(compactJson(nested(100_000)).ok).toBe(false)
    let mapping: Value = {}
    for (let level = 1; level < 513; level++) mapping = { a: mapping }
    expect(compactJson(mapping).ok).toBe(false)
  })

  test.each([2, 1.5])('supports another depth: %d', (compactJsonDepth) => {
    const limits = withLimits({ compactJsonDepth })
    expect(compactJson([[1]], 'code-point', withLimits({ compactJsonDepth: 2 })).ok).toBe(true)
    expect(compactJson([[[1]]], 'code-point', limits)).toMatchObject({
      ok: false,
      error: { maximum: compactJsonDepth },
    })
  })

  test('a depth beyond the stack is an error, not a crash', () => {
    const limits = withLimits({ compactJsonDepth: Number.POSITIVE_INFINITY })
    expect(compactJson(nested(100_000), 'code-point', limits)).toMatchObject({
      ok: false,
      error: { limit: 'compactJsonDepth' },
    })
  })

  test('is JSON of the same value, in both orders', () => {
    fc.assert(
      fc.property(value, (original) => {
        for (const order of ['code-point', 'document'] as const) {
          const json = compactJson(original, order)
          expect(json.ok && deepEqual(readBack(json.value), original)).toBe(true)
        }
        expect(compactJson(original, 'document')).toEqual({ ok: true, value: writeJson(original) })
      }),
    )
  })
})

test('valueToText leaves strings alone', () => {
  expect(valueToText('a "b"')).toEqual({ ok: true, value: 'a "b"' })
  expect(valueToText({ b: 1, a: 'x' })).toEqual({ ok: true, value: '{"a":"x","b":1}' })
  expect(valueToText({ b: 1, a: 'x' }, 'document')).toEqual({ ok: true, value: '{"b":1,"a":"x"}' })
  expect(valueToText(null)).toEqual({ ok: true, value: 'null' })
  expect(valueToText(nested(513))).toMatchObject({ ok: false, error: { limit: 'compactJsonDepth' } })
})

test('compareCodePoints orders as code points do', () => {
  const points = (text: string) => [...text].map((character) => character.codePointAt(0) ?? 0)
  const wellFormed = text.filter((text) => !/\p{Cs}/u.test(text))
  fc.assert(
    fc.property(wellFormed, wellFormed, (a, b) => {
      const [left, right] = [points(a), points(b)]
      const index = left.findIndex((point, index) => point !== right[index])
      const expected = index < 0 ? left.length - right.length : (left[index] ?? -1) - (right[index] ?? -1)
      expect(Math.sign(compareCodePoints(a, b))).toBe(Math.sign(expected))
    }),
  )
  expect(compareCodePoints(TILDE, FACE)).toBeLessThan(0)
  expect(TILDE < FACE).toBe(false)
})

function readBack(json: string): Value {
  const read = readJson(json)
  return read.ok ? read.value : `not JSON: ${json}`
}
