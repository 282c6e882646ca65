/** Whether a number is a whole multiple of another, in decimal: 0.3 is three times 0.1. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  if (![value, divisor].every(isFiniteNumber) || divisor <= 0) return false
  const [valueDigits, valueExponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const shift = BigInt(Math.abs(valueExponent - divisorExponent))
  return valueExponent >= divisorExponent
    ? (valueDigits * 10n ** shift) % divisorDigits === 0n
    : valueDigits % (divisorDigits * 10n ** shift) === 0n
}

function isFiniteNumber(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isFinite(value)
}

/** A number as digits times a power of ten. */
function decimal(value: number | bigint): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = String(value < 0 ? -value : value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
