import { isRecord, type Value, withLimits } from '@joust/source'
import type { MatchPredicate } from '../model/document.ts'
import type { PrimitiveOptions } from '../model/evaluators.ts'
import { compileCondition } from './condition.ts'
import { depthFault } from './dot-path.ts'
import { resolveSimplePath } from './resolve-simple-path.ts'

/**
 * True if a value satisfies every entry of a predicate ([OATF SDK §5.4](https://oatf.io/sdk/execution-primitives/)).
 *
 * @example
 * const holds = evaluatePredicate({ 'arguments.amount': { gt: 50 } }, { arguments: { amount: 80 } })
 */
export function evaluatePredicate(predicate: MatchPredicate, value: Value, options: PrimitiveOptions = {}): boolean {
  if (!isRecord(predicate)) return false
  const limits = withLimits(options.limits)
  for (const [path, condition] of Object.entries(predicate)) {
    const fault = depthFault(path, limits)
    if (fault !== undefined) {
      options.onError?.(fault)
      return false
    }
    const compiled = compileCondition(condition, limits)
    const resolved = resolveSimplePath(path, value, options)
    if (compiled.existsOnly !== undefined) {
      if (compiled.existsOnly !== (resolved !== undefined)) return false
      continue
    }
    if (resolved === undefined) return false
    const result = compiled.test(resolved)
    if (!result.ok) options.onError?.(result.error)
    if (!result.ok || !result.value) return false
  }
  return true
}
