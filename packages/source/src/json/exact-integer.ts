/** The range of signed and unsigned 64-bit integers. */
const LEAST = -(2n ** 63n)
const MOST = 2n ** 64n - 1n
const INTEGER = /^[-+]?(?:[0-9]+|0[box][0-9a-fA-F]+)$/
/** A sign, `0b` and 64 digits. Longer numerals are left as they are, so that nobody pays for a million digits. */
const LONGEST = 67

/**
 * The value of a numeral that was read as a double: the exact integer when it has at most 64 bits and lies beyond what
 * doubles can tell apart, otherwise the double.
 */
export function exactInteger(numeral: string, rounded: number): number | bigint {
  if (Number.isSafeInteger(rounded) || numeral.length > LONGEST || !INTEGER.test(numeral)) return rounded
  const magnitude = BigInt(numeral.replace(/^[-+]/, ''))
  const exact = numeral.startsWith('-') ? -magnitude : magnitude
  return exact >= LEAST && exact <= MOST ? exact : rounded
}

/** A string, or a numeral. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/g
const LONG_INTEGER = /^(-?[0-9]{16,})(?:\.0+)?$/

/** JSON text with other text in place of every integer that a double would change. */
export function replaceLostIntegers(json: string, replacement: (numeral: string, offset: number) => string): string {
  if (!/[0-9]{16}/.test(json)) return json
  return json.replaceAll(TOKEN, (token, offset: number) => (isLost(token) ? replacement(token, offset) : token))
}

function isLost(token: string): boolean {
  const [, digits] = LONG_INTEGER.exec(token) ?? []
  if (digits === undefined) return false
  const rounded = Number(digits)
  // Beyond the range of doubles it is lost in any case, and a million digits are not worth their price.
  return !Number.isFinite(rounded) || BigInt(digits) !== BigInt(rounded)
}
