/**
 * [OATF §6](https://oatf.io/specification/indicators/) and §9 over a stream of messages: the trace filter,
 * the first match of each indicator, and the verdict.
 */
import type { Value } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { contentRoot, indicatorPaths, missingValues } from './evaluate/content-root.ts'
import { compileIndicator, evaluateIndicatorAsync } from './evaluate/indicator.ts'
import { computeVerdict } from './evaluate/verdict.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import type { AsyncEvaluators } from './model/evaluators.ts'
import type { NormalIndicator } from './model/normal.ts'
import type { TraceMessage } from './model/trace-message.ts'
import type { AttackVerdict, IndicatorVerdict } from './model/verdict.ts'

/**
 * The verdict of an attack over messages, for example of a live connection. An indicator is evaluated until it matches;
 * one that no message concerns is skipped, and one that needs a missing `request` or `arguments` is an error. Rejects
 * only if the stream does.
 *
 * @example
 * const { result } = await evaluateAttack(unwrap(load(text), text), messages)
 */
export async function evaluateAttack(
  { document: { attack }, patterns }: LoadedAttack,
  messages: Iterable<TraceMessage> | AsyncIterable<TraceMessage>,
  evaluators: AsyncEvaluators = {},
): Promise<AttackVerdict> {
  const tools = { cel: createCelEvaluator(), patterns, ...evaluators }
  const indicators = attack.indicators ?? []
  const evaluations = indicators.map((indicator) => evaluationOf(indicator, tools))
  const verdicts: (IndicatorVerdict | undefined)[] = indicators.map(() => undefined)
  for await (const message of messages) {
    for (const [index, indicator] of indicators.entries()) {
      const earlier = verdicts[index]
      if (earlier?.result === 'matched' || !concerns(indicator, message)) continue
      const verdict = await evaluations[index]?.(message)
      // An error stays unless a later message matches: the message might have been the breach.
      if (earlier?.result !== 'error' || verdict?.result === 'matched') verdicts[index] = verdict
    }
  }
  return computeVerdict(attack, verdicts, evaluators.now)
}

type Evaluation = (message: TraceMessage) => IndicatorVerdict | Promise<IndicatorVerdict>

/** Evaluates the root of a message; one that cannot be evaluated completely is an error unless it matches. */
function evaluationOf(indicator: NormalIndicator, tools: AsyncEvaluators): Evaluation {
  const paths = indicatorPaths(indicator)
  const rootOf = contentRoot(paths)
  const evaluate = evaluationOfRoot(indicator, tools)
  return async (message) => {
    const root = rootOf(message)
    const verdict = await evaluate(root)
    const missing = missingValues(paths, message, root)
    if (verdict.result !== 'not_matched') return verdict
    if (message.malformed !== undefined) {
      return { ...verdict, result: 'error', evidence: `malformed message: ${message.malformed}` }
    }
    if (missing.length === 0) return verdict
    const fields = missing.map((key) => key.slice(1)).join(' and ')
    return { ...verdict, result: 'error', evidence: `the message has no "${fields}", which the indicator reads` }
  }
}

function evaluationOfRoot(
  indicator: NormalIndicator,
  tools: AsyncEvaluators,
): (root: Value) => IndicatorVerdict | Promise<IndicatorVerdict> {
  if (indicator.semantic !== undefined) return (root) => evaluateIndicatorAsync(indicator, root, tools)
  const { semantic: _, ...others } = tools
  return compileIndicator(indicator, others)
}

/** The filter of OATF §6. */
function concerns({ protocol, surface, actor, direction }: NormalIndicator, message: TraceMessage): boolean {
  return (
    message.protocol === protocol &&
    (actor === undefined || message.actor === actor) &&
    // A malformed message may have been of any operation.
    (message.malformed !== undefined ||
      ((surface === undefined || message.surface === surface) &&
        (direction === undefined || message.direction === direction)))
  )
}
