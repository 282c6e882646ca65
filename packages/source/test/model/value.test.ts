import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeJson } from '../../src/json/write-json.ts'
import {
  cloneValue,
  isInteger,
  isList,
  isNumeric,
  isRecord,
  kindOf,
  own,
  setOwn,
  toDoubles,
  type Value,
} from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { nested, record, value } from '../support.ts'

test('own returns own properties only', () => {
  expect(own({ a: 1 }, 'a')).toBe(1)
  for (const key of ['b', 'toString', 'constructor', '__proto__', 'hasOwnProperty'])
    expect(own({ a: 1 }, key)).toBeUndefined()
  expect(own(record([['__proto__', 1]]), '__proto__')).toBe(1)
  expect(own({ hasOwnProperty: 2 }, 'hasOwnProperty')).toBe(2)
})

test('setOwn sets any name without touching the prototype', () => {
  const built = {}
  for (const key of ['a', '__proto__', 'constructor']) setOwn(built, key, { polluted: true })
  expect(Object.keys(built)).toEqual(['a', '__proto__', 'constructor'])
  expect(Object.getPrototypeOf(built)).toBe(Object.prototype)
  setOwn(built, '__proto__', 1)
  expect(own(built, '__proto__')).toBe(1)
})

test('isRecord and isList cover all objects', () => {
  const values = [{}, [], null, 'a', 1, undefined]
  expect(values.map(isRecord)).toEqual([true, false, false, false, false, false])
  expect(values.map(isList)).toEqual([false, true, false, false, false, false])
})

test('isNumeric and isInteger accept numbers and bigints', () => {
  const values = [1, 1.5, 2n ** 60n, '1', null, Number.NaN]
  expect(values.map(isNumeric)).toEqual([true, true, true, false, false, true])
  expect(values.map(isInteger)).toEqual([true, false, true, false, false, false])
})

test('toDoubles removes all bigints', () => {
  const original = { a: [9007199254740993n, { b: 1.5 }], c: 'text' }
  expect(toDoubles(original)).toEqual({ a: [2 ** 53, { b: 1.5 }], c: 'text' })
  fc.assert(fc.property(value, (any) => void expect(() => JSON.stringify(toDoubles(any))).not.toThrow()))
})

test('kindOf has a name for everything', () => {
  const values = [null, [], {}, 'a', 1, 2n ** 60n, 1.5, true, undefined]
  expect(values.map(kindOf)).toEqual([
    ...['null', 'a list', 'a mapping', 'a string', 'an integer', 'an integer', 'a number', 'a boolean', 'undefined'],
  ])
})

describe('cloneValue', () => {
  test('equals the original, keeps key order and shares nothing', () => {
    fc.assert(
      fc.property(value, (original) => {
        const copy = cloneValue(original)
        expect(deepEqual(copy, original)).toBe(true)
        expect(writeJson(copy)).toBe(writeJson(original))
        const originals = objectsIn(original)
        for (const part of objectsIn(copy)) expect(originals.has(part)).toBe(false)
      }),
    )
  })

  test('copies shared parts separately', () => {
    const shared = { a: 1 }
    const copy = cloneValue([shared, shared])
    expect(copy).toEqual([{ a: 1 }, { a: 1 }])
    expect(copy[0]).not.toBe(copy[1])
  })

  test('keeps __proto__ an own key', () => {
    const copy = cloneValue(record([['__proto__', { a: [1] }]]))
    expect(Object.keys(copy)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(own(copy, '__proto__')).toEqual({ a: [1] })
  })

  test('handles 100,000 levels', () => {
    const deep = nested(100_000)
    expect(deepEqual(cloneValue(deep), deep)).toBe(true)
  })

  test('keeps the length of a list with holes', () => {
    expect(cloneValue(new Array<Value>(3))).toHaveLength(3)
  })
})

function objectsIn(root: Value): Set<object> {
  const objects = new Set<object>()
  const pending: Value[] = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    objects.add(next)
    pending.push(...Object.values(next))
  }
  return objects
}
