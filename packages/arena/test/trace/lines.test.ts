import { expect, test } from 'vitest'
import { createLineSplitter } from '../../src/trace/lines.ts'

function split(pieces: (string | Uint8Array)[], maxBytes = 100): (string | null)[] {
  const splitter = createLineSplitter(maxBytes)
  const lines = pieces.flatMap((piece) => [...splitter.push(piece)])
  const last = splitter.end()
  return [...lines, ...(last === undefined ? [] : [last])].map((line) => (line.ok ? line.value : null))
}

test('lines end at line feeds only', () => {
  expect(split(['a\nb\r\nc\u2028d', 'e'])).toEqual(['a', 'b\r', 'c\u2028de'])
  expect(split(['a\n'])).toEqual(['a'])
  expect(split(['\n\n'])).toEqual(['', ''])
  expect(split([])).toEqual([])
})

test('characters may be cut anywhere, and pieces mixed', () => {
  const bytes = new TextEncoder().encode('é😀\nx')
  for (let at = 0; at <= bytes.length; at++) {
    expect(split([bytes.slice(0, at), bytes.slice(at)])).toEqual(['é😀', 'x'])
  }
  expect(split(['\ud83d', '\ude00\n', bytes.slice(0, 2), 'y'])).toEqual(['😀', 'éy'])
})

test('bytes that are not UTF-8 spoil their own line only', () => {
  expect(split([new Uint8Array([0x61, 0xff, 10, 0x62, 10]), new Uint8Array([0xc3]), 'c\nd'])).toEqual([
    null,
    'b',
    null,
    'd',
  ])
})

test('a line over the limit is given up, the next one is read', () => {
  expect(split(['1234567890\n12345678901\nok', 'x'.repeat(8), 'y\n1'], 10)).toEqual(['1234567890', null, null, '1'])
  expect([...createLineSplitter(2).push('abc\n')]).toEqual([{ ok: false, error: 'longer than 2 bytes' }])
})

test('a line over the limit is not held', () => {
  const megabyte = 1024 * 1024
  const splitter = createLineSplitter(megabyte)
  let most = 0
  for (let piece = 0; piece < 600; piece++) {
    expect([...splitter.push(new Uint8Array(megabyte).fill(120))]).toEqual([])
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  expect(most).toBeLessThan(400 * megabyte)
})
