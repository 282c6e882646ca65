import { describe, expect, test } from 'vitest'
import { cell, columnsOf, fit, wrap } from '../../src/render/fit.ts'

describe('columns', () => {
  test.each([
    ['plain', 5],
    ['naïve', 5],
    ['e\u0301', 1],
    ['長い', 4],
    ['🚀 go', 5],
    ['', 0],
  ])('of %j: %i', (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })

  test('a text is cut where it stops fitting', () => {
    expect(fit('exactly', 7)).toBe('exactly')
    expect(fit('one more', 7)).toBe('one mo…')
    expect(fit('長い名前', 6)).toBe('長い…')
    expect(fit('anything', 0)).toBe('')
  })

  test('a cell is as wide as its column', () => {
    expect(cell('ab', 4)).toBe('ab  ')
    expect(cell('長い名前', 6)).toBe('長い… ')
  })

  test('lines break between words, and in words that are longer than a line', () => {
    expect(wrap('the agent never came', 10)).toEqual(['the agent', 'never came'])
    expect(wrap('a 1234567890123 b', 10)).toEqual(['a', '1234567890', '123', 'b'])
    expect(wrap('as it is', Number.POSITIVE_INFINITY)).toEqual(['as it is'])
  })
})
