import { expect, test } from 'vitest'
import { createCapturedValues } from '../../src/actors/values.ts'

test('an actor sees its own values by name, and everybody’s by actor', () => {
  const values = createCapturedValues(['a', 'b'])
  values.capture('a', 'code', '1')
  expect(values.seenBy('a').get('code')).toBe('1')
  expect(values.seenBy('b').get('code')).toBeUndefined()
  expect(values.seenBy('b').get('a.code')).toBe('1')
  expect(values.seenBy('a').get('a.code')).toBe('1')
})

test('the last value wins, and a view that was taken before shows it', () => {
  const values = createCapturedValues(['a'])
  const seen = values.seenBy('a')
  values.capture('a', 'code', '1')
  values.capture('a', 'code', '')
  expect(seen.get('code')).toBe('')
})

test('nobody else has values', () => {
  const values = createCapturedValues(['a'])
  values.capture('stranger', 'x', '1')
  expect(values.seenBy('stranger').size).toBe(0)
})
