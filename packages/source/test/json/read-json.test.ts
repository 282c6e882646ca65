import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { writeJson } from '../../src/json/write-json.ts'
import { withLimits } from '../../src/model/limits.ts'
import type { Value } from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { nested, record, value } from '../support.ts'

test.each<[string, string, Value]>([
  ['a message', '{"jsonrpc": "2.0", "id": 1, "result": [null, true]}', { jsonrpc: '2.0', id: 1, result: [null, true] }],
  ['42.0', '42.0', 42],
  ['a byte order mark', '\ufeff[1]', [1]],
  ['large numbers that fit', '[1e308, -1.5E+300, 1e-400, 1e005]', [1e308, -1.5e300, 0, 1e5]],
  ['what looks like a large number in a string', '["1e999", "\\"1e999", "\\\\"]', ['1e999', '"1e999', '\\']],
  ['a long numeral in a string', JSON.stringify(['9'.repeat(400)]), ['9'.repeat(400)]],
  [
    'integers of 64 bits',
    '[9007199254740993,-9223372036854775808 , 18446744073709551615]',
    [9007199254740993n, -(2n ** 63n), 2n ** 64n - 1n],
  ],
  ['such an integer alone', '9007199254740993', 9007199254740993n],
  ['such an integer in an object', '{"a":-9007199254740993}', { a: -9007199254740993n }],
  ['the largest that a double holds', '[9007199254740991, -9007199254740991]', [9007199254740991, -9007199254740991]],
  ['integers of more bits, as doubles', '[18446744073709551616, -9223372036854775809]', [2 ** 64, -(2 ** 63)]],
  ['a thousand digits that are not an integer', `[0.${'1'.repeat(1000)}]`, [0.1111111111111111]],
  ['fractions and exponents, as doubles', '[9007199254740993.0, 9007199254740993e0]', [2 ** 53, 2 ** 53]],
  ['large integers in texts', '["a: 9007199254740993, b"]', ['a: 9007199254740993, b']],
  ['the last of two values beside a large integer', '{"b":9007199254740993,"a":1,"b":2}', { b: 2, a: 1 }],
  [
    'escapes beside a large integer',
    '["\\u00e9\\n", 9007199254740993, true, null]',
    ['é\n', 9007199254740993n, true, null],
  ],
  ['lone surrogates', '"\\ud800"', '\ud800'],
])('reads %s', (_, text, expected) => expect(readJson(text)).toEqual({ ok: true, value: expected }))

test('keeps __proto__ an own key', () => {
  const result = readJson('{"__proto__": {"polluted": 1}}')
  expect(result.ok && deepEqual(result.value, record([['__proto__', { polluted: 1 }]]))).toBe(true)
  expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__'])
})

test.each<[string, string, string, number, number]>([
  ['an empty text', '', 'expected a value', 1, 1],
  ['an unfinished text', '{"a":\n  [1,\n', 'expected a value', 3, 1],
  ['a bare word', '{\n  "a": x\n}', 'expected a value', 2, 8],
  ['YAML', 'a: 1', 'expected a value', 1, 1],
  ['1e400', '[1,\n 1e400]', 'number out of range', 2, 2],
  ['-1e+999', '{"a": {"b": -1e+999}}', 'number out of range', 1, 13],
  ['400 digits', `[${'9'.repeat(400)}]`, 'number out of range', 1, 2],
  ['behind a byte order mark', '\ufeff[x]', 'expected a value', 1, 2],
  ['two values', '{}\r\n{}', 'unexpected text after the value', 2, 1],
])('refuses %s', (_, text, message, line, column) => {
  expect(readJson(text)).toEqual({
    ok: false,
    error: [{ severity: 'error', code: 'syntax', message: `not JSON: ${message}`, line, column }],
  })
})

test('counts UTF-8 bytes', () => {
  const limits = withLimits({ yamlBytes: 5 })
  expect(readJson('"한"', limits)).toEqual({ ok: true, value: '한' })
  expect(readJson('"한a"', limits)).toEqual({
    ok: false,
    error: [{ severity: 'error', code: 'limit', limit: 'yamlBytes', message: 'over the limit yamlBytes = 5 (6)' }],
  })
  expect(readJson('1'.repeat(6), limits)).toMatchObject({ ok: false, error: [{ limit: 'yamlBytes' }] })
})

test('handles 100,000 levels, with and without a large number', () => {
  for (const inner of [0, 1e300]) {
    const deep = readJson('['.repeat(100_000) + JSON.stringify(inner) + ']'.repeat(100_000))
    expect(deep.ok && deepEqual(deep.value, nested(100_000, inner))).toBe(true)
  }
  expect(readJson('['.repeat(100_000)).ok).toBe(false)
})

test('is linear in digits', () => {
  const text = `[${`${'1'.repeat(308)},`.repeat(12_000)}1]`
  expect(readJson(text).ok).toBe(true)
})

test('reads what writeJson writes', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (original, indent) => {
      const result = readJson(writeJson(original, indent))
      expect(result.ok && deepEqual(result.value, original)).toBe(true)
    }),
  )
})

test('never throws', () => {
  const json = fc.json().chain((text) => fc.nat(text.length).map((at) => text.slice(0, at) + text.slice(at + 1)))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), json), (text) => {
      const result = readJson(text)
      if (!result.ok) expect(result.error[0]).toMatchObject({ code: 'syntax', line: expect.any(Number) })
    }),
    { numRuns: 1000 },
  )
})
