import { describe, expect, test } from 'vitest'
import { afterIndicator, blockScalarStart, lineEnd } from '../../src/yaml/scan.ts'

describe('afterIndicator', () => {
  test.each<[string, number, string, number | undefined]>([
    ['a: b', 1, ':', 2],
    ['a  \t : b', 1, ':', 6],
    ['a # : no\n: b', 1, ':', 10],
    ['a\r\n# : no\r: b', 1, ':', 11],
    ['a b:', 1, ':', undefined],
    ['a', 1, ':', undefined],
    ['# no end', 0, ':', undefined],
  ])('%j from %i to %j', (text, from, indicator, expected) => {
    expect(afterIndicator(text, from, indicator)).toBe(expected)
  })
})

describe('blockScalarStart', () => {
  test.each<[string, number, number, number]>([
    ['a: |\n  x', 2, 5, 3],
    ['a: >- # | x\n  x', 2, 12, 3],
    ['a|b: |\r\n  x', 3, 8, 5],
    ['a: |\r  x', 2, 5, 3],
    ['a: |', 2, 4, 3],
    ['x: |\n\na: >\n y', 6, 11, 9],
  ])('%j', (text, from, content, expected) => expect(blockScalarStart(text, from, content)).toBe(expected))
})

test('lineEnd stops before any line break', () => {
  expect(['ab', 'ab\ncd', 'ab\rcd', 'ab\r\ncd'].map((text) => lineEnd(text, 1))).toEqual([2, 2, 2, 2])
})
