import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactInteger } from '../../src/json/exact-integer.ts'

const read = (numeral: string): number | bigint => exactInteger(numeral, Number(numeral))

test('an integer of 64 bits is given back digit by digit', () => {
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
