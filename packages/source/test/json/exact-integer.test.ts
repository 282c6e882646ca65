import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactInteger, replaceLostIntegers } from '../../src/json/exact-integer.ts'

const read = (numeral: string): number | bigint => exactInteger(numeral, Number(numeral))

test('64-bit integers are exact', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (integer) => {
      expect(String(read(String(integer)))).toBe(String(integer))
      expect(typeof read(String(integer))).toBe(Number.isSafeInteger(Number(integer)) ? 'number' : 'bigint')
    }),
  )
})

test.each(['1e17', '9007199254740993.5', '18446744073709551616', '-9223372036854775809', '9'.repeat(300)])(
  '%.30s is a double',
  (numeral) => expect(read(numeral)).toBe(Number(numeral)),
)

describe('integers that a double would change', () => {
  const marked = (json: string) => replaceLostIntegers(json, (numeral, offset) => `<${offset}:${numeral}>`)

  test.each([
    ['9007199254740993', '<0:9007199254740993>'],
    ['[1, -9007199254740993.00]', '[1, <4:-9007199254740993.00>]'],
    ['{"a":18446744073709551617,"b":2}', '{"a":<5:18446744073709551617>,"b":2}'],
    ['9'.repeat(400), `<0:${'9'.repeat(400)}>`],
    ['9007199254740993e0', '<0:9007199254740993e0>'],
    ['[-9007199254740993E+1]', '[<1:-9007199254740993E+1>]'],
    ['90071992547409930e-1', '<0:90071992547409930e-1>'],
    ['9.007199254740993e15', '<0:9.007199254740993e15>'],
    ['123456789012345678901e0', '<0:123456789012345678901e0>'],
  ])('%.40s', (json, text) => {
    expect(marked(json)).toBe(text)
  })

  test.each([
    '9007199254740991',
    '9007199254740992',
    '1000000000000000000000',
    '[9007199254740993.5, 90071992547409935e-1, 9007199254740992e0, 1e20, 1e23, 1e300]',
    '[1.7976931348623157e308, 5e-324, 0.1000000000000000000e1, 0000000000000000000e5]',
    '{"9007199254740993": "a \\" 9007199254740993 \\\\"}',
  ])('%s has none', (json) => {
    expect(marked(json)).toBe(json)
  })

  test('are those with an exponent that neither the double nor its shortest numeral holds', () => {
    const small = fc.bigInt(-(2n ** 60n), 2n ** 60n)
    fc.assert(
      fc.property(small, fc.integer({ min: 0, max: 2 }), (integer, power) => {
        const written = `${integer}e${power}`
        const exact = integer * 10n ** BigInt(power)
        // Up to 1e21 the shortest numeral has no exponent.
        const isKept = BigInt(Number(written)) === exact || String(Number(written)) === String(exact)
        expect(marked(`[${written}]`)).toBe(isKept ? `[${written}]` : `[<1:${written}>]`)
      }),
    )
  })

  test('are those that reading changes', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 80n), 2n ** 80n), (integer) => {
        const isKept = BigInt(Number(integer)) === integer
        expect(marked(`[${integer}]`) === `[${integer}]`).toBe(isKept)
      }),
    )
  })
})
