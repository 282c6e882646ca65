/**
 * [OATF §6](https://oatf.io/specification/indicators/) and §9 over a stream of messages: the trace filter,
 * the first match of each indicator, and the verdict.
 */
import type { Value } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { compileIndicator, evaluateIndicatorAsync } from './evaluate/indicator.ts'
import { computeVerdict } from './evaluate/verdict.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import type { Direction, Protocol } from './model/enumerations.ts'
import type { AsyncEvaluators } from './model/evaluators.ts'
import type { NormalIndicator } from './model/normal.ts'
import type { AttackVerdict, IndicatorVerdict } from './model/verdict.ts'

/** A message between an agent and an actor of an attack. */
export interface TraceMessage {
  readonly protocol: Protocol
  /** The operation, for example `tools/call`. */
  readonly surface: string
  readonly direction: Direction
  /** The name of the actor that sent or received it. */
  readonly actor?: string
  /** The content root of the binding (OATF §7): params, result or error, event, input, card. */
  readonly content: Value
}

/**
 * The verdict of an attack over messages, for example of a live connection. An indicator is evaluated until it matches;
 * one that no message concerns is skipped. Rejects only if the stream does.
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
      const verdict = await evaluations[index]?.(message.content)
      // An error stays unless a later message matches: the message might have been the breach.
      if (earlier?.result !== 'error' || verdict?.result === 'matched') verdicts[index] = verdict
    }
  }
  return computeVerdict(attack, verdicts, evaluators.now)
}

type Evaluation = (content: Value) => IndicatorVerdict | Promise<IndicatorVerdict>

function evaluationOf(indicator: NormalIndicator, tools: AsyncEvaluators): Evaluation {
  if (indicator.semantic !== undefined) return (content) => evaluateIndicatorAsync(indicator, content, tools)
  const { semantic: _, ...others } = tools
  return compileIndicator(indicator, others)
}

/** The filter of OATF §6. */
function concerns({ protocol, surface, actor, direction }: NormalIndicator, message: TraceMessage): boolean {
  return (
    message.protocol === protocol &&
    (surface === undefined || message.surface === surface) &&
    (actor === undefined || message.actor === actor) &&
    (direction === undefined || message.direction === direction)
  )
}
