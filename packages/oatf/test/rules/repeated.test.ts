import { expect, test } from 'vitest'
import { generatedToo, repeated } from '../../src/rules/repeated.ts'

// Documents built in memory may contain anything, including undefined.
const sites = (...names: unknown[]) => names.map((name, index) => ({ path: ['list', index], value: { name } as never }))

test('every text after its first occurrence is found', () => {
  expect(repeated(sites('a', 'b', 'a', 'a'), 'name')).toEqual([
    { path: ['list', 2, 'name'], text: 'a' },
    { path: ['list', 3, 'name'], text: 'a' },
  ])
})

test('a text that another site gets by its position is found apart', () => {
  const phases = [...sites('b', 'item-2'), { path: ['list', 2], value: {} }]
  expect(repeated(phases, 'name')).toEqual([])
  expect(generatedToo(phases, 'name', (index) => `item-${index}`)).toEqual([
    { path: ['list', 1, 'name'], text: 'item-2' },
  ])
})

test('missing and other values do not count', () => {
  expect(repeated(sites(undefined, undefined, 5, 5, null, null), 'name')).toEqual([])
  expect(repeated(sites('a', 'a'), 'id')).toEqual([])
})
