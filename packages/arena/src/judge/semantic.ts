/** Evaluates semantic indicators and their examples ([OATF §11.4.8](https://oatf.io/specification/conformance/)). */

import { type Clock, within } from '@joust/io'
import {
  type AsyncSemanticEvaluator,
  DEFAULT_THRESHOLD,
  type EvaluationError,
  evaluateIndicatorAsync,
  type Indicator,
  type IndicatorVerdict,
  type SemanticMatch,
} from '@joust/oatf'
import { cut, err, isList, isRecord, type Limits, messageOf, type Result, type Value } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { EvaluationTime } from './evaluation-time.ts'

export interface SemanticTools {
  readonly evaluator: AsyncSemanticEvaluator
  readonly clock: Clock
  readonly time: EvaluationTime
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
}

export interface SemanticProgram {
  /** Describes the first example that the evaluator misclassifies; checked once. */
  examplesFault(): Promise<string | undefined>
  evaluate(message: Value): Promise<IndicatorVerdict>
}

export function compileSemantic(indicator: Indicator, semantic: SemanticMatch, tools: SemanticTools): SemanticProgram {
  const evaluator = inTurn(tools)
  const { limits, clock } = tools
  const options = { semantic: evaluator, now: clock.now, ...(limits === undefined ? {} : { limits }) }
  let checked: Promise<string | undefined> | undefined
  return {
    examplesFault() {
      checked ??= checkExamples(semantic, evaluator)
      return checked
    },
    evaluate: (message) => evaluateIndicatorAsync(indicator, message, options),
  }
}

/** Makes the calls sequential, and adds a time limit and a cache by text. */
function inTurn({ evaluator, clock, time, signal }: SemanticTools): AsyncSemanticEvaluator {
  const expired = `semantic evaluation exceeded its time limit of ${time.milliseconds} ms`
  const answers = new Map<string, Result<number, EvaluationError>>()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (...question: Parameters<AsyncSemanticEvaluator['evaluate']>) => {
    const [text] = question
    const cached = answers.get(text)
    if (cached !== undefined) return cached
    const late = () => failed(signal?.aborted ? 'the run was interrupted' : expired)
    if (time.left() <= 0) return late()
    const start = clock.now()
    const answer = await within(clock, time.left(), answerOf(evaluator, question), signal, late)
    time.spend(clock.now() - start)
    if (answer.ok && text.length <= arenaLimits.semanticAnswerText && answers.size < arenaLimits.semanticAnswers)
      answers.set(text, answer)
    return answer
  }
  return {
    evaluate(...question) {
      const answer = last.then(() => ask(...question))
      last = answer
      return answer
    },
  }
}

/** The evaluator is third-party code: exceptions and invalid values become errors. */
async function answerOf(
  evaluator: AsyncSemanticEvaluator,
  question: Parameters<AsyncSemanticEvaluator['evaluate']>,
): Promise<Result<number, EvaluationError>> {
  try {
    const answer: unknown = await evaluator.evaluate(...question)
    if (!isRecord(answer) || (answer.ok !== true && !isRecord(answer.error)))
      return failed('the semantic evaluator did not return a result')
    // The score is validated where it is used.
    return answer as Result<number, EvaluationError>
  } catch (thrown) {
    return failed(messageOf(thrown))
  }
}

async function checkExamples(semantic: SemanticMatch, evaluator: AsyncSemanticEvaluator): Promise<string | undefined> {
  for await (const fault of classifyExamples(semantic, evaluator)) if (fault !== undefined) return fault
  return undefined
}

export function failed(message: string): Result<never, EvaluationError> {
  return err({ kind: 'semantic_error', message })
}

/** Yields undefined if the evaluator agrees with the document, otherwise a message. */
export async function* classifyExamples(
  semantic: SemanticMatch,
  evaluator: AsyncSemanticEvaluator,
): AsyncGenerator<string | undefined, void, undefined> {
  const { intent, intent_class: intentClass, threshold, examples } = semantic
  const limit = threshold ?? DEFAULT_THRESHOLD
  for (const kind of ['positive', 'negative'] as const) {
    const texts: unknown = examples?.[kind]
    for (const [index, text] of (isList(texts) ? texts : []).entries()) {
      if (typeof text !== 'string') continue
      const answer = await evaluator.evaluate(text, intent, intentClass, threshold, examples ?? undefined)
      const example = `${kind} example ${index + 1} (${JSON.stringify(cut(text, 80))})`
      if (!answer.ok) yield `${example} could not be classified: ${answer.error.message}`
      else yield scoreFault(answer.value, limit, kind, example)
    }
  }
}

function scoreFault(score: unknown, limit: number, kind: 'positive' | 'negative', example: string): string | undefined {
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    return `${example} has the score ${score}, expected 0 to 1`
  return score >= limit === (kind === 'positive')
    ? undefined
    : `${example} has the score ${score} against threshold ${limit}`
}
