import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCodePoints, utf8Length } from '../../src/text/length.ts'

test('is on the same side of the bound as the real length, and exact near it', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      '\u007f',
      '\u0080',
      '\u07ff',
      '\u0800',
      '\ud7ff',
      '\ue000',
      '\u{10000}',
      '\u{1f3ff}',
      '\u{10ffff}',
    ),
    maxLength: 20,
  })
  fc.assert(
    fc.property(text, fc.nat(60), (text, bound) => {
      const real = new TextEncoder().encode(text).length
      const measured = utf8Length(text, bound)
      expect(measured > bound).toBe(real > bound)
      if (text.length <= bound && text.length * 3 > bound) expect(measured).toBe(real)
    }),
  )
})

test('counts code points, a lone surrogate as one', () => {
  expect(['', 'é', '\u{1f600}a', '\ud83d', '\ude00\ud83d'].map(countCodePoints)).toEqual([0, 1, 2, 1, 2])
})
