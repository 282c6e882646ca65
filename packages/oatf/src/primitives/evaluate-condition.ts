import { type Value, withLimits } from '@joust/source'
import type { Condition } from '../model/document.ts'
import type { PrimitiveOptions } from '../model/evaluators.ts'
import { compileCondition } from './condition.ts'

/**
 * True if a value satisfies a condition ([OATF SDK §5.3](https://oatf.io/sdk/execution-primitives/)): all operators, or
 * deep equality for a plain value.
 *
 * @example
 * console.log(evaluateCondition({ gt: 50 }, 80), evaluateCondition('Oslo', 'Bergen'))
 */
export function evaluateCondition(condition: Condition, value: Value, options: PrimitiveOptions = {}): boolean {
  const result = compileCondition(condition, withLimits(options.limits)).test(value)
  if (result.ok) return result.value
  options.onError?.(result.error)
  return false
}
