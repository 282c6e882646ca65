import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { err, errorCode, invariant, messageOf, ok } from '../../src/model/result.ts'

test('a result is one of two plain objects', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 })
  expect(err('no')).toEqual({ ok: false, error: 'no' })
})

test('throws only when the condition does not hold', () => {
  expect(() => invariant(true, 'fine')).not.toThrow()
  expect(() => invariant(0, 'zero')).toThrow('internal error, please report it: zero')
})

test.each([
  [new TypeError('worse'), 'worse'],
  ['just a word', 'just a word'],
  [42, '42'],
  [new AggregateError([new Error('one'), 'another']), 'one; another'],
  [new AggregateError([new Error('one')], 'all of them'), 'all of them'],
  [new AggregateError([]), 'unknown error'],
  [new Error(''), 'unknown error'],
  [undefined, 'unknown error'],
  [Object.create(null), 'unknown error'],
])('what was thrown, %#, as text', (thrown, expected) => {
  expect(messageOf(thrown)).toBe(expected)
})

test('errors of another realm have their message and code', () => {
  const foreign: unknown = runInNewContext("Object.assign(new Error('no such file'), { code: 'ENOENT' })")
  expect(foreign).not.toBeInstanceOf(Error)
  expect([messageOf(foreign), errorCode(foreign)]).toEqual(['no such file', 'ENOENT'])
  expect([new Error('none'), { code: 'ENOENT' }, undefined].map(errorCode)).toEqual([undefined, undefined, undefined])
})
