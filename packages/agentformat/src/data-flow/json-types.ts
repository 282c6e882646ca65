import type { Value } from '@joust/source'

/** A set of JSON types as a bit mask. Integers and fractions are separate because `integer` excludes fractions. */
export type TypeSet = number

const bits = { null: 1, boolean: 2, object: 4, array: 8, string: 16, integer: 32, fraction: 64 } as const

export const NO_TYPE: TypeSet = 0
export const NULL: TypeSet = bits.null
export const OBJECT: TypeSet = bits.object
export const ARRAY: TypeSet = bits.array
export const ANY_TYPE: TypeSet = 127

const byName: ReadonlyMap<string, TypeSet> = new Map([
  ['null', bits.null],
  ['boolean', bits.boolean],
  ['object', bits.object],
  ['array', bits.array],
  ['string', bits.string],
  ['integer', bits.integer],
  ['number', bits.integer | bits.fraction],
])

/** Returns the types that a `type` keyword allows. An unknown name allows any type. */
export function namedTypes(name: Value): TypeSet {
  return typeof name === 'string' ? (byName.get(name) ?? ANY_TYPE) : ANY_TYPE
}

/** Returns the type of a value. 1.0 is an integer, as in JSON Schema. */
export function typeOf(value: Value): TypeSet {
  if (value === null) return bits.null
  if (Array.isArray(value)) return bits.array
  switch (typeof value) {
    case 'boolean':
      return bits.boolean
    case 'string':
      return bits.string
    case 'bigint':
      return bits.integer
    case 'number':
      return Number.isInteger(value) ? bits.integer : bits.fraction
    default:
      return bits.object
  }
}

/** Formats types for messages, such as `string or null`. */
export function typeNames(types: TypeSet): string {
  if (types === NO_TYPE) return 'nothing'
  if (types === ANY_TYPE) return 'anything'
  const names = [...byName].filter(([name, set]) => (types & set) === set && !(name === 'integer' && hasNumber(types)))
  const fractionOnly = (types & bits.fraction) !== 0 && !hasNumber(types)
  return [...names.map(([name]) => name), ...(fractionOnly ? ['number with a fraction'] : [])].join(' or ')
}

function hasNumber(types: TypeSet): boolean {
  return (types & bits.integer) !== 0 && (types & bits.fraction) !== 0
}
