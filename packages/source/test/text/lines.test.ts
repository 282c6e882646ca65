import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Lines } from '../../src/text/lines.ts'

test('counts all three line breaks, and nothing else', () => {
  const lines = new Lines('a\nb\r\nc\rd\u2028e\u0085f\n')
  expect(lines.count).toBe(5)
  expect([1, 2, 3, 4, 5].map((number) => lines.line(number))).toEqual(['a', 'b', 'c', 'd\u2028e\u0085f', ''])
})

test('has no line outside the text', () => {
  const lines = new Lines('a')
  expect([lines.line(0), lines.line(2), lines.line(-1), lines.line(1.5)]).toEqual(['', '', '', ''])
})

test.each<[string, number, number, number]>([
  ['', 0, 1, 1],
  ['ab\ncd', 0, 1, 1],
  ['ab\ncd', 2, 1, 3],
  ['ab\ncd', 3, 2, 1],
  ['ab\r\ncd', 4, 2, 1],
  ['ab\rcd', 3, 2, 1],
  ['ab\ncd', 99, 2, 3],
  ['ab\ncd', -5, 1, 1],
  ['\ufeffab', 0, 1, 1],
  ['\ufeffab', 1, 1, 1],
  ['\ufeffab\ncd', 5, 2, 2],
])('%j at %i is %i:%i', (text, offset, line, column) => {
  expect(new Lines(text).position(offset)).toEqual({ line, column })
})

test('an offset and its position refer to the same character', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '\u{1f600}', '\n', '\r', '\r\n'), maxLength: 30 })
  fc.assert(
    fc.property(text, fc.nat(60), (text, seed) => {
      const offset = seed % (text.length + 1)
      const lines = new Lines(text)
      const { line, column } = lines.position(offset)
      const rest = lines.line(line).slice(column - 1)
      expect(text.slice(offset).startsWith(rest)).toBe(true)
      expect(lines.count).toBe(text.split(/\r\n|\r|\n/).length)
    }),
  )
})
