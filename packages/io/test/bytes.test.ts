import fc from 'fast-check'
import { expect, test } from 'vitest'
import { base64Of, createBoundedBytes, sha256, strictText } from '../src/bytes.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('keeps as much as it may, and says when that was too little', () => {
  const kept = createBoundedBytes(5)
  expect([kept.add(bytesOf('abc')), kept.add(bytesOf('de')), kept.add(bytesOf('f')), kept.add(bytesOf(''))]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([kept.size(), kept.text(), kept.bytes()]).toEqual([5, 'abcde', bytesOf('abcde')])
})

test('a character cut by the limit is left out, other bad bytes are replaced', () => {
  const cut = createBoundedBytes(4)
  cut.add(bytesOf('abcü'))
  expect(cut.text()).toBe('abc')
  const bad = createBoundedBytes(4)
  bad.add(Uint8Array.of(97, 0xc3))
  expect(bad.text()).toBe('a\uFFFD')
})

test('forgets what it is told to', () => {
  const kept = createBoundedBytes(4)
  kept.add(bytesOf('abcdef'))
  kept.truncate(1)
  expect([kept.add(bytesOf('x')), kept.text()]).toEqual([true, 'ax'])
})

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

test('base64 of any bytes, and of more than a call takes arguments', () => {
  const all = Uint8Array.from({ length: 300_000 }, (_, at) => at % 256)
  expect(base64Of(all)).toBe(Buffer.from(all).toString('base64'))
  expect(base64Of(new Uint8Array())).toBe('')
})

test('SHA-256 in hexadecimal digits, of a text as of its bytes', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256(bytesOf('abc'), 8)).toBe('ba7816bf')
})
