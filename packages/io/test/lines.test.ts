import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLineSplitter } from '../src/lines.ts'

function split(text: string | Uint8Array, maxLineBytes = 1000, chunkBytes = 1) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const splitter = createLineSplitter(maxLineBytes)
  const lines = []
  for (let at = 0; at < bytes.length; at += chunkBytes)
    lines.push(...splitter.push(bytes.subarray(at, at + chunkBytes)))
  return [...lines, ...splitter.end()]
}

describe('lines', () => {
  test.each([
    ['', []],
    ['one', ['one']],
    ['one\n', ['one']],
    ['one\r\ntwo', ['one', 'two']],
    ['\n\n', ['', '']],
    ['a\rb\n', ['a\rb']],
    ['grüß 🙂\nx\n', ['grüß 🙂', 'x']],
    ['\uFEFF{}\n', ['\uFEFF{}']],
  ])('%j', (text, lines) => {
    expect(split(text).map((line) => line.text)).toEqual(lines)
    expect(split(text).every((line) => line.fault === undefined)).toBe(true)
  })

  test('invalid UTF-8 is decoded byte by byte and flagged, also at the end of a line', () => {
    const fault = expect.stringContaining('not UTF-8')
    const bytes = Uint8Array.of(0x61, 0xc3, 10, 0xff, 10, 0x62)
    for (const chunkBytes of [1, 100]) {
      expect(split(bytes, 1000, chunkBytes)).toEqual([{ text: 'a\xc3', fault }, { text: '\xff', fault }, { text: 'b' }])
    }
  })

  test('a line over the limit is cut between characters, and the rest is skipped', () => {
    const fault = 'longer than 4 bytes'
    expect(split('abcü and more\nnext\nabcde', 4)).toEqual([
      { text: 'abc', fault, isCut: true },
      { text: 'next' },
      { text: 'abcd', fault, isCut: true },
    ])
  })

  test('a line over the limit is returned before it ends', () => {
    expect(createLineSplitter(2).push(Uint8Array.of(97, 98, 99))).toEqual([
      { text: 'ab', fault: 'longer than 2 bytes', isCut: true },
    ])
  })

  test('a line of ten megabytes', () => {
    const [long, next] = split(`${'x'.repeat(10_000_000)}\nnext`, 1_000_000, 65_536)
    expect([long?.text.length, long?.fault, next]).toEqual([1_000_000, 'longer than 1000000 bytes', { text: 'next' }])
  })

  test('the lines do not depend on how the text is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'ü', '🙂', '\n', '\r') }),
        fc.nat({ max: 12 }),
        fc.integer({ min: 1, max: 9 }),
        (text, limit, chunkBytes) => {
          expect(split(text, limit, chunkBytes)).toEqual(split(text, limit, 1000))
        },
      ),
    )
  })
})

describe('chunks of any size', () => {
  test('characters may be split between chunks', () => {
    const bytes = new TextEncoder().encode('é😀\nx')
    for (let at = 0; at <= bytes.length; at++) {
      const splitter = createLineSplitter(100)
      const lines = [bytes.slice(0, at), bytes.slice(at)].flatMap((piece) => splitter.push(piece))
      expect([...lines, ...splitter.end()].map(({ text }) => text)).toEqual(['é😀', 'x'])
    }
  })

  test('a line over the limit is not buffered', () => {
    const megabyte = 1024 * 1024
    const splitter = createLineSplitter(megabyte)
    let most = 0
    for (let piece = 0; piece < 600; piece++) {
      expect(splitter.push(new Uint8Array(megabyte).fill(120))).toHaveLength(piece === 1 ? 1 : 0)
      most = Math.max(most, process.memoryUsage().arrayBuffers)
    }
    expect(most).toBeLessThan(400 * megabyte)
  })
})
