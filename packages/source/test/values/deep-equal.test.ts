import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compactJson } from '../../src/json/compact-json.ts'
import { cloneValue, type Value } from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { nested, record, value } from '../support.ts'

test.each<[string, Value, Value]>([
  ['42 and 42.0', JSON.parse('42'), JSON.parse('42.0')],
  ['-0 and 0', -0, 0],
  ['-0 and 0 inside', [{ a: -0 }], [{ a: 0 }]],
  ['a large integer and itself', 9007199254740993n, 2n ** 53n + 1n],
  ['a large integer and the same as a double', 2n ** 53n, 2 ** 53],
  ['a double and the integer that it is written as', 2 ** 60, 1152921504606847000n],
  ['key order', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ['empty collections', [[], {}], [[], {}]],
  ['own __proto__', record([['__proto__', [1]]]), record([['__proto__', [1]]])],
])('equal: %s', (_, a, b) => {
  expect(deepEqual(a, b)).toBe(true)
  expect(deepEqual(b, a)).toBe(true)
})

test.each<[string, Value, Value]>([
  ['NaN and NaN', Number.NaN, Number.NaN],
  ['NaN inside', [Number.NaN], [Number.NaN]],
  ['number and string', 42, '42'],
  ['large integers that are one double', 9007199254740993n, 9007199254740992n],
  ['a large integer and the double next to it', 9007199254740993n, 2 ** 53],
  ['a large integer and a string', 9007199254740993n, '9007199254740993'],
  ['a large integer and NaN', 9007199254740993n, Number.NaN],
  ['null and an empty mapping', null, {}],
  ['null and false', null, false],
  ['list and mapping', [], {}],
  ['list and mapping with the same keys', ['a'], { 0: 'a' }],
  ['list and mapping with a length', ['a'], { 0: 'a', length: 1 }],
  ['order of items', [1, 2], [2, 1]],
  ['length', [1], [1, 1]],
  ['more keys', { a: 1 }, { a: 1, b: 2 }],
  ['other keys', { a: 1 }, { b: 1 }],
  ['deep down', { a: [{ b: [1, 2] }] }, { a: [{ b: [1, 3] }] }],
  ['a key that only the prototype has', { toString: 1 }, { a: 1 }],
  ['own __proto__ and none', record([['__proto__', {}]]), {}],
  ['own __proto__ and another key', record([['__proto__', {}]]), { a: {} }],
  ['other own __proto__', record([['__proto__', 1]]), record([['__proto__', 2]])],
])('different: %s', (_, a, b) => {
  expect(deepEqual(a, b)).toBe(false)
  expect(deepEqual(b, a)).toBe(false)
})

test('a value with NaN does not equal itself', () => {
  const same = { a: [Number.NaN] }
  expect(deepEqual(same, same)).toBe(false)
})

test('a hole in a list is not null', () => {
  // No document has this, but a program may pass it.
  const sparse = new Array<Value>(2)
  sparse[1] = 1
  expect(deepEqual(sparse, [null, 1])).toBe(false)
  expect(deepEqual(sparse, [1])).toBe(false)
  const again = new Array<Value>(2)
  again[1] = 1
  expect(deepEqual(sparse, again)).toBe(true)
})

test('handles 100,000 levels', () => {
  expect(deepEqual(nested(100_000), nested(100_000))).toBe(true)
  expect(deepEqual(nested(100_000), nested(100_000, 1))).toBe(false)
  let left: Value = 1
  let right: Value = 1
  for (let level = 0; level < 100_000; level++) {
    left = { a: left }
    right = { a: right }
  }
  expect(deepEqual(left, right)).toBe(true)
})

test('agrees with compact JSON, whose keys are sorted', () => {
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(deepEqual(a, cloneValue(a))).toBe(true)
      expect(deepEqual(a, b)).toBe(deepEqual(b, a))
      const [left, right] = [compactJson(a), compactJson(b)]
      expect(deepEqual(a, b)).toBe(left.ok && right.ok && left.value === right.value)
    }),
  )
})
