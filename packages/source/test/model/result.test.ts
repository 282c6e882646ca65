import { expect, test } from 'vitest'
import { err, invariant, ok } from '../../src/model/result.ts'

test('a result is one of two plain objects', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 })
  expect(err('no')).toEqual({ ok: false, error: 'no' })
})

test('throws only when the condition does not hold', () => {
  expect(() => invariant(true, 'fine')).not.toThrow()
  expect(() => invariant(0, 'zero')).toThrow('Joust is broken: zero')
})
