/** [OATF SDK §4.4](https://oatf.io/sdk/evaluation/): evaluates one indicator against one message. */
import {
  describeValue,
  err,
  InvalidInput,
  isRecord,
  type Limits,
  messageOf,
  type Result,
  type Value,
  withLimits,
} from '@joust/source'
import type { Indicator, SemanticMatch } from '../model/document.ts'
import type { EvaluationError } from '../model/errors.ts'
import type { AsyncEvaluators, Evaluators, SemanticEvaluator } from '../model/evaluators.ts'
import type { IndicatorVerdict, Match } from '../model/verdict.ts'
import { depthFault } from '../primitives/dot-path.ts'
import { pathTo, resolveSteps, wildcardSteps } from '../primitives/resolve-wildcard-path.ts'
import { describeMatch, evidenceOf } from './evidence.ts'
import { compileExpression } from './expression.ts'
import { compilePattern } from './pattern.ts'
import { type SemanticOutcome, semanticOutcome, semanticProbes } from './semantic.ts'

/** A verdict without its id and time. */
type Finding = Pick<IndicatorVerdict, 'result' | 'evidence' | 'match'>

/**
 * Evaluates an indicator on a message. Never throws; failures are `error` verdicts.
 *
 * @example
 * const { result } = evaluateIndicator({ target: 'arguments.key', pattern: { contains: 'sk-' } }, { arguments: { key: 'sk-1' } })
 */
export function evaluateIndicator(indicator: Indicator, message: Value, evaluators: Evaluators = {}): IndicatorVerdict {
  return compileIndicator(indicator, evaluators)(message)
}

/**
 * Compiles an indicator (path, regular expression and CEL) for any number of messages.
 *
 * @example
 * const evaluate = compileIndicator({ target: 'arguments.key', pattern: { regex: '^sk-' } })
 * console.log(evaluate({ arguments: { key: 'sk-1' } }).result, evaluate({ arguments: {} }).result)
 */
export function compileIndicator(
  indicator: Indicator,
  evaluators: Evaluators = {},
): (message: Value) => IndicatorVerdict {
  const stamp = stamper(indicator, evaluators)
  const same = (finding: Finding) => finding
  const always = (finding: Finding) => () => finding
  const compiled = safely(() => compileFinding(indicator, checked(evaluators)), always)
  return (message) => stamp(safely(() => compiled(message), same))
}

/** Catches exceptions, because getters and proxies in values may throw. */
function safely<T>(work: () => T, fallback: (finding: Finding) => T): T {
  try {
    return work()
  } catch (thrown) {
    return fallback(failed({ kind: 'type_error', message: messageOf(thrown) }))
  }
}

/**
 * Like `evaluateIndicator`, but for a semantic evaluator that does I/O.
 *
 * @example
 * const semantic = { evaluate: async () => ({ ok: true, value: 0.9 }) as const }
 * const indicator = { target: 'arguments.note', semantic: { intent: 'reveals the system prompt' } }
 * const { result } = await evaluateIndicatorAsync(indicator, { arguments: { note: 'You are …' } }, { semantic })
 */
export async function evaluateIndicatorAsync(
  indicator: Indicator,
  message: Value,
  evaluators: AsyncEvaluators = {},
): Promise<IndicatorVerdict> {
  const stamp = stamper(indicator, evaluators)
  try {
    const { semantic: evaluator, ...others } = checked(evaluators)
    const { pattern, expression, semantic, target } = blocksOf(indicator)
    if (isRecord(pattern) || isRecord(expression) || !isRecord(semantic) || evaluator === undefined)
      return evaluateIndicator(indicator, message, others)
    const limits = withLimits(evaluators.limits)
    const probes = semanticProbes(semantic, target, message, limits)
    if (!probes.ok) return stamp(failed(probes.error))
    const scores = await Promise.all(probes.value.map(async (probe) => evaluator.evaluate(...probe.question)))
    return stamp(semanticFinding(semanticOutcome(semantic, probes.value, scores, limits)))
  } catch (error) {
    const kind = error instanceof InvalidInput ? 'type_error' : 'semantic_error'
    return stamp(failed({ kind, message: messageOf(error) }))
  }
}

function compileFinding(indicator: Indicator, evaluators: Evaluators): (message: Value) => Finding {
  const limits = withLimits(evaluators.limits)
  const { pattern, expression, semantic, target } = blocksOf(indicator)
  if (isRecord(pattern)) {
    // Cached patterns are compiled with the default limits. Other limits require a new compilation.
    const cached = evaluators.limits === undefined ? evaluators.patterns?.get(indicator) : undefined
    const program = cached ?? compilePattern(pattern, target, limits)
    return (message) => {
      const result = program(message)
      return result.ok ? outcome(result.value) : failed(result.error)
    }
  }
  if (isRecord(expression)) {
    if (evaluators.cel === undefined) return () => skipped('no CEL evaluator is configured')
    const program = compileExpression(expression, evaluators.cel, limits)
    return (message) => {
      const result = program(message)
      if (!result.ok) return failed(result.error)
      return result.value
        ? { result: 'matched', evidence: expression.cel, ...matchAt(target, expression.cel, message, limits) }
        : { result: 'not_matched' }
    }
  }
  if (isRecord(semantic)) {
    const { semantic: evaluator } = evaluators
    if (evaluator === undefined) return () => skipped('no semantic evaluator is configured')
    return (message) => semanticFinding(askAll(semantic, target, message, evaluator, limits))
  }
  return () =>
    failed({ kind: 'unsupported_method', message: 'the indicator has no pattern, expression or semantic block' })
}

/**
 * Returns the first value at the target of an expression, as context: the expression itself may read any field. The
 * span is the longest literal from the expression that the value contains.
 */
function matchAt(target: string | undefined, cel: string, message: Value, limits: Limits): Pick<Finding, 'match'> {
  const steps = typeof target === 'string' && target !== '' ? wildcardSteps(target) : undefined
  if (steps === undefined || depthFault(target ?? '', limits) !== undefined) return {}
  const [first] = resolveSteps(steps, message)
  if (first === undefined) return {}
  const spanOf = (text: string) => {
    const quoted = [...cel.matchAll(/"([^"\\]{3,})"|'([^'\\]{3,})'/g)].map((match) => match[1] ?? match[2] ?? '')
    const literal = quoted.filter((one) => text.includes(one)).sort((one, other) => other.length - one.length)[0]
    const start = literal === undefined ? -1 : text.indexOf(literal)
    return literal === undefined ? undefined : { start, end: start + literal.length }
  }
  return { match: describeMatch(pathTo(first), first.value, limits, spanOf) }
}

/** Returns the fields of an indicator. `parse` has not checked an indicator that was built in memory. */
function blocksOf(indicator: Indicator): Partial<Indicator> {
  return isRecord(indicator) ? indicator : {}
}

function askAll(
  semantic: SemanticMatch,
  target: string | undefined,
  message: Value,
  evaluator: SemanticEvaluator,
  limits: Limits,
): Result<SemanticOutcome, EvaluationError> {
  const probes = semanticProbes(semantic, target, message, limits)
  if (!probes.ok) return probes
  try {
    const scores = probes.value.map((probe) => evaluator.evaluate(...probe.question))
    return semanticOutcome(semantic, probes.value, scores, limits)
  } catch (error) {
    return err({ kind: 'semantic_error', message: messageOf(error) })
  }
}

function semanticFinding(result: Result<SemanticOutcome, EvaluationError>): Finding {
  if (!result.ok) return failed(result.error)
  const { score, threshold, match } = result.value
  if (score === undefined) return { result: 'not_matched' }
  const evidence = `score ${score} against threshold ${threshold}`
  return match === undefined ? { result: 'not_matched', evidence } : { result: 'matched', evidence, match }
}

function outcome(match: Match | undefined): Finding {
  return match === undefined ? { result: 'not_matched' } : { result: 'matched', evidence: evidenceOf(match), match }
}

function skipped(reason: string): Finding {
  return { result: 'skipped', evidence: reason }
}

function failed(error: EvaluationError): Finding {
  return { result: 'error', evidence: `${error.kind}: ${error.message}` }
}

function checked<T extends AsyncEvaluators>(evaluators: T): T {
  if (isRecord(evaluators)) return evaluators
  throw new InvalidInput(`expected evaluators as an object, got ${describeValue(evaluators)}`)
}

/** Adds id and time. The time is formatted once per millisecond. */
function stamper(indicator: Indicator, evaluators: AsyncEvaluators): (finding: Finding) => IndicatorVerdict {
  const id = safely(
    () => (isRecord(indicator) && typeof indicator.id === 'string' ? indicator.id : ''),
    () => '',
  )
  const now = (isRecord(evaluators) ? (evaluators as AsyncEvaluators).now : undefined) ?? Date.now
  let last = Number.NaN
  let timestamp = ''
  return (finding) => {
    const time = now()
    if (time !== last) {
      last = time
      timestamp = new Date(time).toISOString()
    }
    return { indicator_id: id, timestamp, ...finding }
  }
}
