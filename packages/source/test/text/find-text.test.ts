import fc from 'fast-check'
import { expect, test } from 'vitest'
import { containsText, findText } from '../../src/text/find-text.ts'

test.each([
  ['', '', true],
  ['a', '', true],
  ['', 'a', false],
  ['banana', 'nan', true],
  ['banana', 'nab', false],
  [`${'ab'.repeat(1000)}c`, `${'ab'.repeat(300)}c`, true],
  [`${'ab'.repeat(1000)}c`, `${'ba'.repeat(300)}c`, false],
  ['a'.repeat(1000), 'a'.repeat(1001), false],
  ['a'.repeat(1000), 'a'.repeat(1000), true],
])('%#', (text, part, found) => {
  expect(containsText(text, part)).toBe(found)
})

test('a long part with many near matches does not hang', () => {
  expect(findText('a'.repeat(4_000_000), `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`)).toBe(-1)
})

test('agrees with indexOf on long parts', () => {
  // Pieces that repeat, so that long borders and near misses are common.
  const piece = fc.constantFrom('a'.repeat(60), `${'a'.repeat(59)}b`, 'ab'.repeat(30), 'b')
  const long = fc.array(piece, { minLength: 5, maxLength: 40 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(long, long, fc.nat(), fc.nat(), (text, other, from, length) => {
      const part = text.slice(from % text.length).slice(0, 251 + (length % 1000))
      expect(containsText(text, part)).toBe(true)
      expect(containsText(text, other)).toBe(text.includes(other))
      expect(findText(text, `${part}b`)).toBe(text.indexOf(`${part}b`))
      expect(findText(text, part)).toBe(text.indexOf(part))
    }),
    { numRuns: 500 },
  )
})
