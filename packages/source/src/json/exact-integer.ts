/** The minimum of signed and the maximum of unsigned 64-bit integers. */
const LEAST = -(2n ** 63n)
const MOST = 2n ** 64n - 1n
const INTEGER = /^[-+]?(?:[0-9]+|0[box][0-9a-fA-F]+)$/
/**
 * Maximum length of a numeral: a sign, `0b` and 64 digits. Longer ones are not converted, because that would be slow.
 */
const LONGEST = 67

/**
 * Returns the value of a numeral that was parsed as a double: an exact integer if it fits 64 bits and is not a safe
 * integer, otherwise the double.
 */
export function exactInteger(numeral: string, rounded: number): number | bigint {
  if (Number.isSafeInteger(rounded) || numeral.length > LONGEST || !INTEGER.test(numeral)) return rounded
  const magnitude = BigInt(numeral.replace(/^[-+]/, ''))
  const exact = numeral.startsWith('-') ? -magnitude : magnitude
  return exact >= LEAST && exact <= MOST ? exact : rounded
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/g
/** More significant digits than a double always preserves, possibly with a decimal point. */
const LONG = /[0-9][0-9.]{15}/
const NUMERAL = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/

/** Replaces all integers in a JSON text that a double cannot represent exactly. */
export function replaceLostIntegers(json: string, replacement: (numeral: string, offset: number) => string): string {
  if (!LONG.test(json)) return json
  return json.replaceAll(TOKEN, (token, offset: number) =>
    LONG.test(token) && isLost(token) ? replacement(token, offset) : token,
  )
}

function isLost(token: string): boolean {
  const written = decimal(token)
  if (written === undefined) return false
  const rounded = Number(token)
  // Beyond the range of doubles, the value is lost in any case. Comparing a million digits would be too expensive.
  if (!Number.isFinite(rounded)) return true
  if (BigInt(written.digits) * 10n ** BigInt(written.zeros) === BigInt(Math.abs(rounded))) return false
  // An exponent replaces zeros, so the double's shortest numeral may have the same digits.
  const shortest = decimal(String(rounded))
  return !/[eE]/.test(token) || shortest?.digits !== written.digits || shortest.zeros !== written.zeros
}

/** Returns the significant digits of an integer and the number of trailing zeros; undefined for a fraction. */
function decimal(numeral: string): { readonly digits: string; readonly zeros: number } | undefined {
  const [, whole, fraction = '', exponent = '0'] = NUMERAL.exec(numeral) ?? []
  if (whole === undefined) return undefined
  const all = `${whole}${fraction}`
  let end = all.length
  while (end > 1 && all.charCodeAt(end - 1) === ZERO) end -= 1
  const zeros = Number(exponent) - fraction.length + all.length - end
  const digits = all.slice(0, end).replace(/^0+/, '')
  if (digits === '') return { digits, zeros: 0 }
  return zeros < 0 ? undefined : { digits, zeros }
}

const ZERO = 48
