import { isRecord, type Value } from '@joust/source'
import { type MatchCondition, matchConditionShape } from './document.ts'

/** The operators of a condition ([OATF §5.4](https://oatf.io/specification/execution-profile/)). */
export const operatorNames = Object.keys(matchConditionShape.fields) as readonly (keyof MatchCondition)[]

/** True for an object of operators, false for a value to compare. */
export function isMatchCondition(condition: unknown): condition is MatchCondition & { readonly [key: string]: Value } {
  return isRecord(condition) && operatorNames.some((name) => Object.hasOwn(condition, name))
}
