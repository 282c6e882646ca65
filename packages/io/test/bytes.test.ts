import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoundedBytes, sha256, strictText } from '../src/bytes.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('keeps bytes up to the limit and reports an overflow', () => {
  const buffer = createBoundedBytes(5)
  expect([
    buffer.add(bytesOf('abc')),
    buffer.add(bytesOf('de')),
    buffer.add(bytesOf('f')),
    buffer.add(bytesOf('')),
  ]).toEqual([true, true, false, false])
  expect([buffer.size(), buffer.text(), buffer.bytes()]).toEqual([5, 'abcde', bytesOf('abcde')])
})

test('drops a character cut by the limit and replaces other invalid bytes', () => {
  const cut = createBoundedBytes(4)
  cut.add(bytesOf('abcü'))
  expect(cut.text()).toBe('abc')
  const bad = createBoundedBytes(4)
  bad.add(Uint8Array.of(97, 0xc3))
  expect(bad.text()).toBe('a\uFFFD')
})

test('truncates', () => {
  const buffer = createBoundedBytes(4)
  buffer.add(bytesOf('abcdef'))
  buffer.truncate(1)
  expect([buffer.add(bytesOf('x')), buffer.text()]).toEqual([true, 'ax'])
})

test('every input can be recovered, as text or byte by byte', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const { text, fault } = strictText(bytes)
      const back = fault === undefined ? new TextEncoder().encode(text) : Uint8Array.from(text, (c) => c.charCodeAt(0))
      expect(back).toEqual(bytes)
    }),
  )
})

test('drops a character cut by the limit', () => {
  expect(strictText(Uint8Array.of(0x61, 0xc3), true)).toEqual({ text: 'a' })
  expect(strictText(Uint8Array.of(0x61, 0xc3)).fault).toContain('not UTF-8')
})

test('SHA-256 in hexadecimal digits, of a text as of its bytes', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(sha256(bytesOf('abc'), 8)).toBe('ba7816bf')
})
