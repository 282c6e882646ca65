/** JSON Schema keywords for bounds on numbers, lengths and sizes. */
import { countCodePoints, isList, isNumeric, isRecord, type Value } from '@joust/source'
import type { Assertion } from './keyword.ts'

/** Assertions by keyword. As in JSON Schema, lengths are in code points. Multiples are computed in decimal. */
export const bounds: { readonly [keyword: string]: Assertion } = {
  minimum: comparison((value, bound) => value >= bound, 'at least'),
  maximum: comparison((value, bound) => value <= bound, 'at most'),
  exclusiveMinimum: comparison((value, bound) => value > bound, 'more than'),
  exclusiveMaximum: comparison((value, bound) => value < bound, 'less than'),
  multipleOf: comparison(isMultipleOf, 'a multiple of'),
  minLength: size(characters, 'characters', 'least'),
  maxLength: size(characters, 'characters', 'most'),
  minItems: size(items, 'items', 'least'),
  maxItems: size(items, 'items', 'most'),
  minProperties: size(properties, 'properties', 'least'),
  maxProperties: size(properties, 'properties', 'most'),
}

function comparison(holds: (value: number | bigint, bound: number | bigint) => boolean, words: string): Assertion {
  return (bound, value) => {
    if (!isNumeric(bound) || !isNumeric(value) || holds(value, bound)) return undefined
    return `must be ${words} ${bound}, got ${value}`
  }
}

function size(measure: (value: Value) => number | undefined, unit: string, word: 'least' | 'most'): Assertion {
  return (bound, value, { evaluation }) => {
    const measured = measure(value)
    if (!isNumeric(bound) || measured === undefined) return undefined
    evaluation.spend(Math.ceil(measured / 100))
    if (word === 'least' ? measured >= bound : measured <= bound) return undefined
    if (word === 'least' && bound === 1) return 'must not be empty'
    return `must have at ${word} ${bound} ${unit}, has ${measured}`
  }
}

function characters(value: Value): number | undefined {
  return typeof value === 'string' ? countCodePoints(value) : undefined
}

function items(value: Value): number | undefined {
  return isList(value) ? value.length : undefined
}

function properties(value: Value): number | undefined {
  return isRecord(value) ? Object.keys(value).length : undefined
}

/** True if a number is an integer multiple of another in decimal: 0.3 is three times 0.1. */
export function isMultipleOf(value: number | bigint, divisor: number | bigint): boolean {
  if (![value, divisor].every((one) => typeof one === 'bigint' || Number.isFinite(one)) || divisor <= 0) return false
  const [valueDigits, valueExponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const shift = BigInt(Math.abs(valueExponent - divisorExponent))
  return valueExponent >= divisorExponent
    ? (valueDigits * 10n ** shift) % divisorDigits === 0n
    : valueDigits % (divisorDigits * 10n ** shift) === 0n
}

function decimal(value: number | bigint): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = String(value < 0 ? -value : value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
