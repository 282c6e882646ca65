/**
 * [OATF SDK §4.4](https://oatf.io/sdk/evaluation/), semantic indicators: compares the highest score over all values at
 * the target with the threshold.
 */
import {
  describeValue,
  err,
  formatPath,
  isRecord,
  type Limits,
  ok,
  type Result,
  type Value,
  valueToText,
} from '@joust/source'
import type { SemanticMatch } from '../model/document.ts'
import type { EvaluationError } from '../model/errors.ts'
import type { SemanticEvaluator } from '../model/evaluators.ts'
import type { Match } from '../model/verdict.ts'
import { depthFault } from '../primitives/dot-path.ts'
import { pathTo, resolveSteps, wildcardSteps } from '../primitives/resolve-wildcard-path.ts'
import { describeMatch } from './evidence.ts'
import { isIgnoredPromise } from './ignored-promise.ts'

/** The default threshold ([OATF §6.4](https://oatf.io/specification/indicators/)). */
export const DEFAULT_THRESHOLD = 0.7

type SemanticQuestion = Parameters<SemanticEvaluator['evaluate']>

interface SemanticProbe {
  readonly question: SemanticQuestion
  readonly value: Value
  readonly path: ReturnType<typeof pathTo>
}

export interface SemanticOutcome {
  readonly score: number | undefined
  readonly threshold: number
  readonly match: Match | undefined
}

/** Returns the questions for a semantic indicator; empty if the message has no value at the target. */
export function semanticProbes(
  semantic: SemanticMatch,
  target: string | undefined,
  message: Value,
  limits: Limits,
): Result<SemanticProbe[], EvaluationError> {
  const path = semantic.target ?? target
  const steps = typeof path === 'string' ? wildcardSteps(path) : undefined
  if (steps === undefined)
    return err({ kind: 'path_resolution', message: `${describeValue(path)} is not a target path` })
  const fault = depthFault(path ?? '', limits)
  if (fault !== undefined) return err(fault)
  const probes: SemanticProbe[] = []
  for (const resolved of resolveSteps(steps, message)) {
    const text = valueToText(resolved.value, 'code-point', limits)
    if (!text.ok) return err({ kind: 'semantic_error', message: text.error.message, limit: text.error.limit })
    const { intent, intent_class: intentClass, threshold, examples } = semantic
    const question: SemanticQuestion = [text.value, intent, intentClass, threshold, examples ?? undefined]
    probes.push({ question, value: resolved.value, path: pathTo(resolved) })
  }
  return ok(probes)
}

/** Combines the scores. A score that is not a number from 0 to 1 is an error, not a low score. */
export function semanticOutcome(
  semantic: SemanticMatch,
  probes: readonly SemanticProbe[],
  scores: readonly unknown[],
  limits: Limits,
): Result<SemanticOutcome, EvaluationError> {
  const threshold = semantic.threshold ?? DEFAULT_THRESHOLD
  const ignored = scores.map(isIgnoredPromise)
  let best: { score: number; probe: SemanticProbe } | undefined
  for (const [index, probe] of probes.entries()) {
    if (ignored[index]) {
      const message = 'the semantic evaluator returned a promise; use evaluateIndicatorAsync'
      return err({ kind: 'semantic_error', message })
    }
    const scored = scoreOf(scores[index], probe)
    if (!scored.ok) return scored
    const score = scored.value
    if (best === undefined || score > best.score) best = { score, probe }
  }
  if (best === undefined) return ok({ score: undefined, threshold, match: undefined })
  const { score, probe } = best
  const match = score >= threshold ? describeMatch(probe.path, probe.value, limits) : undefined
  return ok({ score, threshold, match })
}

/** Checks the score from an evaluator, which is custom code and may return any value. */
function scoreOf(answer: unknown, { path }: SemanticProbe): Result<number, EvaluationError> {
  const failure = (message: string) => err({ kind: 'semantic_error', message } as const)
  if (answer === undefined) return failure('no score')
  if (isRecord(answer) && answer.ok === false) {
    const { error } = answer
    return failure(isRecord(error) && typeof error.message === 'string' ? error.message : describeValue(error))
  }
  if (!isRecord(answer) || answer.ok !== true)
    return failure(`the semantic evaluator returned ${describeValue(answer)} instead of { ok: true, value: score }`)
  const { value } = answer
  if (typeof value === 'number' && value >= 0 && value <= 1) return ok(value)
  return failure(`the score ${describeValue(value)} for ${formatPath(path)} is not between 0 and 1`)
}
