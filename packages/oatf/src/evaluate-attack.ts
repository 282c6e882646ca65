/**
 * [OATF §6](https://oatf.io/specification/indicators/) and §9 for a message stream: the trace filter, the first match
 * of each indicator, and the verdict.
 */
import { describeValue, InvalidInput, isRecord, type Value } from '@joust/source'
import { createCelEvaluator } from './adapters/cel.ts'
import { contentRoot, indicatorPaths, missingValues } from './evaluate/content-root.ts'
import { compileIndicator, evaluateIndicatorAsync } from './evaluate/indicator.ts'
import { computeVerdict } from './evaluate/verdict.ts'
import type { LoadedAttack } from './loaded-attack.ts'
import type { AsyncEvaluators } from './model/evaluators.ts'
import type { NormalIndicator } from './model/normal.ts'
import type { TraceMessage } from './model/trace-message.ts'
import type { AttackVerdict, IndicatorVerdict } from './model/verdict.ts'
import { requireLoaded } from './require-loaded.ts'

/**
 * Evaluates an attack over a stream of messages, such as a live connection, and returns the verdict. Each indicator is
 * evaluated until it matches. If it applies to no message, it is skipped. It results in an error if it needs a missing
 * `request` or `arguments`, or if it does not match and the stream contains items that are not messages. Rejects if the
 * stream rejects or an argument is invalid.
 *
 * @example
 * const { result } = await evaluateAttack(unwrap(load(text), text), messages)
 */
export async function evaluateAttack(
  loaded: LoadedAttack,
  messages: Iterable<TraceMessage> | AsyncIterable<TraceMessage>,
  evaluators: AsyncEvaluators = {},
): Promise<AttackVerdict> {
  requireLoaded(loaded, 'evaluateAttack')
  requireArguments(messages, evaluators)
  const { document, patterns } = loaded
  const { attack } = document
  const tools = { cel: createCelEvaluator(), patterns, ...evaluators }
  const indicators = attack.indicators ?? []
  const evaluations = indicators.map((indicator) => evaluationOf(indicator, tools))
  const verdicts: (IndicatorVerdict | undefined)[] = indicators.map(() => undefined)
  for await (const item of messages) {
    const message = messageOf(item)
    for (const [index, indicator] of indicators.entries()) {
      const earlier = verdicts[index]
      if (earlier?.result === 'matched' || !concerns(indicator, message)) continue
      const verdict = await evaluations[index]?.(message)
      // An error is kept unless a later message matches, because the message that caused it might be the breach.
      if (earlier?.result !== 'error' || verdict?.result === 'matched') verdicts[index] = verdict
    }
  }
  return computeVerdict(attack, verdicts, evaluators.now)
}

function requireArguments(messages: unknown, evaluators: unknown): void {
  const isStream =
    typeof messages === 'object' &&
    messages !== null &&
    (Symbol.iterator in messages || Symbol.asyncIterator in messages)
  if (!isStream)
    throw new InvalidInput(`evaluateAttack expects an iterable of messages, got ${describeValue(messages)}`)
  if (isRecord(evaluators)) return
  throw new InvalidInput(`evaluateAttack expects evaluators as an object, got ${describeValue(evaluators)}`)
}

/** The fields that the filter in OATF §6 needs. */
const filtered = ['protocol', 'surface', 'direction'] as const

/**
 * Converts an item, which may come from a file or a socket, to a message. An incomplete message is treated as
 * malformed.
 */
function messageOf(item: unknown): TraceMessage {
  const message: Partial<TraceMessage> = isRecord(item) ? item : {}
  const absent = filtered.find((key) => typeof message[key] !== 'string')
  // The item has all fields that every message has.
  if (absent === undefined) return message as TraceMessage
  const malformed = isRecord(item) ? `"${absent}" is missing` : `${describeValue(item)} is not a message`
  return { content: null, ...message, protocol: UNKNOWN, surface: UNKNOWN, direction: 'request', malformed }
}

/** A placeholder for the missing protocol or surface of an incomplete message. Passes every filter. */
const UNKNOWN = '*'

type Evaluation = (message: TraceMessage) => IndicatorVerdict | Promise<IndicatorVerdict>

/** Evaluates an indicator. A message that cannot be evaluated completely results in an error unless it matches. */
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

/** True if a message passes the filter in OATF §6. */
function concerns({ protocol, surface, actor, direction }: NormalIndicator, message: TraceMessage): boolean {
  if (message.protocol === UNKNOWN) return true
  return (
    message.protocol === protocol &&
    (actor === undefined || message.actor === actor) &&
    // A malformed message may belong to any operation.
    (message.malformed !== undefined ||
      ((surface === undefined || message.surface === surface) &&
        (direction === undefined || message.direction === direction)))
  )
}
