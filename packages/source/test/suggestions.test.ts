import { expect, test } from 'vitest'
import { suggestions } from '../src/suggestions.ts'

test('guesses the name that was meant', () => {
  expect(suggestions()('tolo', new Set(['tool', 'prompt']))).toBe('tool')
  expect(suggestions()('something', new Set(['tool', 'prompt']))).toBeUndefined()
})

test('gives up after many comparisons, and starts afresh for the next run', () => {
  const names = new Set(Array.from({ length: 15_000 }, (_, index) => `name_${index}`))
  const hint = suggestions()
  expect(hint('name_1x', names)).toBeDefined()
  expect(hint('name_1x', names)).toBeUndefined()
  expect(suggestions()('name_1x', names)).toBeDefined()
})
