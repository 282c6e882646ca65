import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { jsonText, writeJson } from '../../src/json/write-json.ts'
import { toDoubles, type Value } from '../../src/model/value.ts'
import { deepEqual } from '../../src/values/deep-equal.ts'
import { nested, value } from '../support.ts'

const LARGE = 9007199254740993n
/** Stands in for `LARGE` where `JSON.stringify` has to write the same. */
const STAND_IN = 1111

describe('next to a large integer', () => {
  test('everything is as in JSON.stringify', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (any, indent) => {
        const plain = toDoubles(any)
        const written = writeJson({ plain, large: LARGE, none: undefined, also: [LARGE, undefined, plain] }, indent)
        const expected = JSON.stringify(
          { plain, large: STAND_IN, also: [STAND_IN, undefined, plain] },
          undefined,
          indent,
        )
        expect(written.replaceAll(String(LARGE), String(STAND_IN))).toBe(
          expected.replaceAll(String(LARGE), String(STAND_IN)),
        )
      }),
    )
  })

  test('strings, numbers and empty collections', () => {
    expect(writeJson([LARGE, 'a"b', -0, Number.NaN, {}, []], 2)).toBe(
      '[\n  9007199254740993,\n  "a\\"b",\n  0,\n  null,\n  {},\n  []\n]',
    )
    expect(writeJson(LARGE)).toBe('9007199254740993')
  })
})

test('the output can be read back', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (any, indent) => {
      const read = readJson(writeJson(any, indent))
      expect(read.ok && deepEqual(read.value, any)).toBe(true)
    }),
  )
})

test('handles 100,000 levels', () => {
  expect(writeJson(nested(100_000, LARGE))).toBe(`${'['.repeat(100_000)}${LARGE}${']'.repeat(100_000)}`)
  expect(writeJson(nested(10_000, LARGE), 2).length).toBeLessThan(30_000_000)
})

test('undefined is null', () => expect(writeJson(undefined)).toBe('null'))

test('rejects circular references, but not shared values', () => {
  const circle: Value[] = [LARGE]
  circle.push(circle)
  expect(() => writeJson(circle)).toThrow(TypeError)
  const shared = [LARGE]
  expect(writeJson([shared, shared])).toBe('[[9007199254740993],[9007199254740993]]')
})

test('escapes terminal control characters without losing them', () => {
  const text = '\u001b\u009b\u202e\u200b\u2028'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test rejects control characters
  expect(jsonText(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e]/)
  expect(JSON.parse(jsonText(text))).toBe(text)
})
