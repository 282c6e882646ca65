import { expect, test } from 'vitest'
import { beginning, cut, excerpt } from '../../src/text/cut.ts'

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

test.each([
  [0, 6, 'ab😀cd'],
  [1, 5, '…b😀c…'],
  [0, 3, 'ab…'],
  [3, 6, '…cd'],
])('from %i to %i', (start, end, part) => expect(excerpt('ab😀cd', start, end)).toBe(part))
