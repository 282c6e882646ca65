import { expect, test } from 'vitest'
import { beginning, bothEnds, cut, excerpt, firstFew, splitBlock } from '../../src/text/cut.ts'

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

test.each([
  [3, 3, 'ab😀cd'],
  [2, 2, 'ab…cd'],
  [3, 1, 'ab…d'],
  [1, 3, 'a…cd'],
])('%i at the beginning and %i at the end', (head, tail, text) => expect(bothEnds('ab😀cd', head, tail)).toBe(text))

test('shows the first few, or all of a short list', () => {
  expect(firstFew(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more'])
  expect(firstFew(['a', 'b'], 2)).toEqual(['a', 'b'])
})

test.each([
  ['', '', ''],
  ['one', 'one', ''],
  ['one \n  two\nthree', 'one', '  two\nthree'],
])('the first line of %j and the block below it', (text, head, block) =>
  expect(splitBlock(text)).toEqual([head, block]),
)
