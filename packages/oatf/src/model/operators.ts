import { isRecord, type Value } from '@joust/source'
import type { MatchCondition } from './document.ts'

/** The operators of a condition (§5.4) with the type of their operand. */
const operators = {
  contains: 'text',
  starts_with: 'text',
  ends_with: 'text',
  regex: 'text',
  any_of: 'list',
  gt: 'number',
  lt: 'number',
  gte: 'number',
  lte: 'number',
  exists: 'boolean',
} as const

type Operator = keyof typeof operators

/** All operator names. */
export const operatorNames = Object.keys(operators) as readonly Operator[]

/** Whether a condition is an object of operators rather than a value to compare with. */
export function isMatchCondition(condition: unknown): condition is MatchCondition & { readonly [key: string]: Value } {
  return isRecord(condition) && operatorNames.some((name) => Object.hasOwn(condition, name))
}
