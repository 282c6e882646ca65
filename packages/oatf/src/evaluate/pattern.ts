/** [OATF SDK §4.2](https://oatf.io/sdk/evaluation/): patterns, compiled once and run on many messages. */
import {
  describeValue,
  err,
  type Limits,
  ok,
  own,
  type Result,
  type Value,
  type ValueRecord,
  withLimits,
} from '@joust/source'
import type { Condition, PatternMatch } from '../model/document.ts'
import type { EvaluationError } from '../model/errors.ts'
import type { PatternProgram } from '../model/evaluators.ts'
import { operatorNames } from '../model/operators.ts'
import { compileCondition } from '../primitives/condition.ts'
import { depthFault } from '../primitives/dot-path.ts'
import { pathTo, resolveSteps, wildcardSteps } from '../primitives/resolve-wildcard-path.ts'
import { describeMatch } from './evidence.ts'

/**
 * Evaluates a pattern on a message. `target` is used if the pattern has no target.
 *
 * @example
 * const matched = evaluatePattern({ target: 'arguments.key', regex: '^sk-' }, { arguments: { key: 'sk-1' } })
 */
export function evaluatePattern(
  pattern: PatternMatch,
  message: Value,
  target?: string,
  limits?: Partial<Limits>,
): Result<boolean, EvaluationError> {
  const result = compilePattern(pattern, target, withLimits(limits))(message)
  return result.ok ? ok(result.value !== undefined) : result
}

/** Compiles a pattern: splits its path and compiles its regular expression. */
export function compilePattern(pattern: PatternMatch, target: string | undefined, limits: Limits): PatternProgram {
  if (typeof pattern !== 'object' || pattern === null)
    return () => err({ kind: 'type_error', message: `${describeValue(pattern)} is not a pattern` })
  const path = pattern.target ?? target
  const steps = typeof path === 'string' ? wildcardSteps(path) : undefined
  if (steps === undefined)
    return () => err({ kind: 'path_resolution', message: `${describeValue(path)} is not a target path` })
  const fault = depthFault(path ?? '', limits)
  if (fault !== undefined) return () => err(fault)
  const condition = conditionOf(pattern)
  if (condition === undefined) return () => err({ kind: 'type_error', message: 'the pattern has no condition' })

  const { existsOnly, test, span } = compileCondition(condition, limits)
  if (existsOnly !== undefined) {
    return (message) => {
      const [first] = resolveSteps(steps, message)
      if (existsOnly !== (first !== undefined)) return ok(undefined)
      return ok(
        first === undefined ? { path: path ?? '', value: '' } : describeMatch(pathTo(first), first.value, limits),
      )
    }
  }
  return (message) => {
    for (const resolved of resolveSteps(steps, message)) {
      const result = test(resolved.value)
      if (!result.ok) return result
      if (result.value) return ok(describeMatch(pathTo(resolved), resolved.value, limits, span))
    }
    return ok(undefined)
  }
}

/** Returns the condition of a pattern in shorthand or standard form. */
export function conditionOf(pattern: PatternMatch): Condition | undefined {
  if (pattern.condition !== undefined) return pattern.condition
  // A pattern is a mapping of plain values.
  const record = pattern as ValueRecord
  const shorthand = operatorNames.filter((name) => name !== 'exists' && own(record, name) !== undefined)
  if (shorthand.length === 0) return undefined
  return Object.fromEntries(shorthand.map((name) => [name, own(record, name) as Value]))
}
