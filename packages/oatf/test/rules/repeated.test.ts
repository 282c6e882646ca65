import { expect, test } from 'vitest'
import { repeated } from '../../src/rules/repeated.ts'

// Documents built in memory may contain anything, including undefined.
const sites = (...names: unknown[]) => names.map((name, index) => ({ path: ['list', index], value: { name } as never }))

test('every text after its first occurrence is found', () => {
  expect(repeated(sites('a', 'b', 'a', 'a'), 'name')).toEqual([
    { path: ['list', 2, 'name'], text: 'a', generated: false },
    { path: ['list', 3, 'name'], text: 'a', generated: false },
  ])
})

test('so is a text that another site gets by its position', () => {
  const phases = [...sites('b', 'item-2'), { path: ['list', 2], value: {} }]
  expect(repeated(phases, 'name', (index) => `item-${index}`)).toEqual([
    { path: ['list', 1, 'name'], text: 'item-2', generated: true },
  ])
})

test('missing and other values do not count', () => {
  expect(repeated(sites(undefined, undefined, 5, 5, null, null), 'name')).toEqual([])
  expect(repeated(sites('a', 'a'), 'id')).toEqual([])
})
