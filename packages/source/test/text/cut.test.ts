import { expect, test } from 'vitest'
import { beginning, cut } from '../../src/text/cut.ts'

test.each([
  ['abc', 3, 'abc', 'abc'],
  ['abcd', 3, 'abc', 'abc…'],
  ['ab😀d', 4, 'ab😀', 'ab😀…'],
  ['ab😀d', 3, 'ab', 'ab…'],
  ['😀', 1, '', '…'],
  ['', 0, '', ''],
])('%j to %i', (text, most, whole, marked) => {
  expect(beginning(text, most)).toBe(whole)
  expect(cut(text, most)).toBe(marked)
})
