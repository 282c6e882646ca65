/** JSON Schema keywords for types, constants, patterns and unique items. */
import { compactJson, deepEqual, isInteger, isList, isNumeric, isRecord, suggestion, type Value } from '@joust/source'
import { quote, quoteValue } from '../../model/quote.ts'
import type { SchemaProblem } from '../problem.ts'
import { type Assertion, descriptionSuffix } from './keyword.ts'

const MAX_MEMBERS = 12

/** `type`: the value has the given type, or one of the given types. */
export const type: Assertion = (operand, value) => {
  const types = (isList(operand) ? operand : [operand]).filter((name) => typeof name === 'string')
  if (types.length === 0 || types.some((name) => isOfType(value, name))) return undefined
  return wrongType(types, value)
}

export function wrongType(expected: readonly string[], value: Value): Pick<SchemaProblem, 'message' | 'expected'> {
  return { message: `expected ${expected.map(typeName).join(' or ')}, got ${quoteValue(value)}`, expected }
}

/** `const`: the value equals the operand. */
export const constant: Assertion = (operand, value, { evaluation }) => {
  evaluation.spend(sizeOf(operand))
  return deepEqual(operand, value) ? undefined : `must be ${quoteValue(operand)}, got ${quoteValue(value)}`
}

/** `enum`: the value equals a member of the list. */
export const enumeration: Assertion = (operand, value, call) => {
  if (!isList(operand) || !call.evaluation.spend(sizeOf(operand))) return undefined
  // `type` reports a value of a different type.
  if (call.schema.type !== undefined && type(call.schema.type, value, call) !== undefined) return undefined
  if (operand.some((member) => deepEqual(member, value))) return undefined
  const members = operand.slice(0, MAX_MEMBERS).map(quoteValue).join(', ')
  const message = `must be one of ${members}${operand.length > MAX_MEMBERS ? ', …' : ''}, got ${quoteValue(value)}`
  const correction = typeof value === 'string' ? call.evaluation.suggest(value, operand) : undefined
  return { message, ...suggestion('value', correction) }
}

/** `pattern`: the string contains a match of an RE2 pattern. */
export const pattern: Assertion = (operand, value, { schema, evaluation }) => {
  if (typeof operand !== 'string' || typeof value !== 'string' || evaluation.matches(operand, value)) return undefined
  return `${quote(value)} does not match the pattern ${quote(operand)}${descriptionSuffix(schema)}`
}

/** `uniqueItems`: no two items are equal. */
export const uniqueItems: Assertion = (operand, value, { evaluation }) => {
  if (operand !== true || !isList(value)) return undefined
  const indices = new Map<string, number>()
  for (const [index, item] of value.entries()) {
    const text = compactJson(item)
    // Items that are nested too deeply are reported elsewhere.
    if (!text.ok || !evaluation.spend(1 + Math.ceil(text.value.length / 100))) return undefined
    const first = indices.get(text.value)
    if (first !== undefined) return `items ${first} and ${index} are equal; items must be unique`
    indices.set(text.value, index)
  }
  return undefined
}

function isOfType(value: Value, name: Value): boolean {
  switch (name) {
    case 'object':
      return isRecord(value)
    case 'array':
      return isList(value)
    case 'integer':
      return isInteger(value)
    case 'number':
      return isNumeric(value)
    case 'null':
      return value === null
    default:
      return typeof value === name
  }
}

function typeName(name: string): string {
  switch (name) {
    case 'object':
      return 'a mapping'
    case 'array':
      return 'a list'
    case 'integer':
      return 'an integer'
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    default:
      return `a ${name}`
  }
}

/** Estimates the cost of comparing a value. Iterative, so that deep values cannot exhaust the stack. */
function sizeOf(value: Value): number {
  let size = 0
  const pending = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    size += typeof next === 'string' ? 1 + Math.ceil(next.length / 100) : 1
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) pending.push(part)
  }
  return size
}
