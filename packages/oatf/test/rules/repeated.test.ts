import { expect, test } from 'vitest'
import { repeated } from '../../src/rules/repeated.ts'

// Documents built in memory hold anything, undefined included.
const sites = (...names: unknown[]) => names.map((name, index) => ({ path: ['list', index], value: { name } as never }))

test('every text after its first occurrence is found', () => {
  expect(repeated(sites('a', 'b', 'a', 'a'), 'name')).toEqual([
    { path: ['list', 2, 'name'], text: 'a' },
    { path: ['list', 3, 'name'], text: 'a' },
  ])
})

test('missing and other values do not count', () => {
  expect(repeated(sites(undefined, undefined, 5, 5, null, null), 'name')).toEqual([])
  expect(repeated(sites('a', 'a'), 'id')).toEqual([])
})
