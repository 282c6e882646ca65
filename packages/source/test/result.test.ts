import { expect, test } from 'vitest'
import { err, ok } from '../src/result.ts'

test('a result is one of two plain objects', () => {
  expect(ok(1)).toEqual({ ok: true, value: 1 })
  expect(err('no')).toEqual({ ok: false, error: 'no' })
})
