import fc from 'fast-check'
import { expect, test } from 'vitest'
import { strictText } from '../../src/transport/strict-text.ts'

test('whatever comes can be had back: as text, or byte by byte', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { text, fault } = strictText(bytes)
      const back = fault === undefined ? new TextEncoder().encode(text) : Uint8Array.from(text, (c) => c.charCodeAt(0))
      expect(back).toEqual(bytes)
    }),
  )
})

test('a character that the limit cut is left out', () => {
  expect(strictText(Uint8Array.of(0x61, 0xc3), true)).toEqual({ text: 'a' })
  expect(strictText(Uint8Array.of(0x61, 0xc3)).fault).toContain('not UTF-8')
})
