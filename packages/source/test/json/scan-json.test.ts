import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type JsonError, scanJson } from '../../src/json/scan-json.ts'
import { writeJson } from '../../src/json/write-json.ts'
import { toDoubles } from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { value } from '../support.ts'

const KEY = 'expected a key in double quotes'

test.each<[string, number, string]>([
  ['', 0, 'expected a value'],
  ['  ', 2, 'expected a value'],
  ['x', 0, 'expected a value'],
  ['nul', 0, 'expected a value'],
  ['true false', 5, 'unexpected text after the value'],
  ['[1,]', 3, 'expected a value'],
  ['[1 2]', 3, 'expected "," or "]"'],
  ['[1', 2, 'expected "," or "]"'],
  ['[1}', 2, 'expected "," or "]"'],
  ['{"a": 1, }', 9, KEY],
  ['{a: 1}', 1, KEY],
  ['{"a" 1}', 5, 'expected ":"'],
  ['{"a": }', 6, 'expected a value'],
  ['{"a": 1 "b"', 8, 'expected "," or "}"'],
  ['["a', 1, 'unterminated string'],
  ['["a\nb"]', 3, 'unescaped control character'],
  ['["a\\x"]', 3, 'invalid escape sequence'],
  ['["\\u12G4"]', 2, 'invalid escape sequence'],
  ['01', 1, 'unexpected text after the value'],
  ['-', 0, 'expected a value'],
  ['1.', 1, 'unexpected text after the value'],
  ['[1, 1e400]', 4, 'number out of range'],
  ['\ufeff1', 0, 'expected a value'],
  ['1\u00a0', 1, 'unexpected text after the value'],
])('%j at %i: %s', (text, offset, message) => {
  expect(findJsonError(text)).toEqual({ message, offset })
})

test('fails exactly where JSON.parse throws', () => {
  const piece = fc.constantFrom(
    ...['[', ']', '{', '}', ',', ':', '"a"', '"', '\\', '1', '-', '0', '.5', 'e5', 'true', 'null', ' ', '\n', '\u0001'],
  )
  const mutated = fc.tuple(value, fc.nat(), piece).map(([value, at, insert]) => {
    const json = writeJson(value)
    const offset = at % (json.length + 1)
    return json.slice(0, offset) + insert + json.slice(offset + 1)
  })
  const pieces = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(
      fc.oneof(
        pieces,
        mutated,
        value.map((value) => writeJson(value, 1)),
      ),
      (text) => {
        expect(findJsonError(text) !== undefined).toBe(isRefused(text))
      },
    ),
    { numRuns: 5000 },
  )
})

test('agrees with JSON.parse except for large integers', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (original, indent) => {
      const text = writeJson(original, indent)
      const read = scanJson(text)
      expect(read.ok && deepEqual(read.value, original)).toBe(true)
      expect(read.ok && JSON.stringify(toDoubles(read.value))).toBe(JSON.stringify(JSON.parse(text)))
    }),
  )
})

test('handles 100,000 levels and a long string', () => {
  expect(findJsonError('['.repeat(100_000))).toEqual({ message: 'expected a value', offset: 100_000 })
  expect(findJsonError('{"a":'.repeat(100_000))).toEqual({ message: 'expected a value', offset: 500_000 })
  expect(findJsonError(`"${'a\\n'.repeat(1_000_000)}`)).toEqual({ message: 'unterminated string', offset: 0 })
})

/** True when JSON.parse rejects the text, or returns an infinite number. */
function isRefused(text: string): boolean {
  try {
    JSON.parse(text, refuseInfinite)
    return false
  } catch {
    return true
  }
}

function refuseInfinite(_: string, value: unknown): unknown {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw new RangeError()
  return value
}

function findJsonError(text: string): JsonError | undefined {
  const read = scanJson(text)
  return read.ok ? undefined : read.error
}
