import { expect, test } from 'vitest'
import { invariant } from '../src/invariant.ts'

test('throws only when the condition does not hold', () => {
  expect(() => invariant(true, 'fine')).not.toThrow()
  expect(() => invariant(0, 'zero')).toThrow('Joust is broken: zero')
})
