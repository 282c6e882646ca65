/** Semantic indicators over a trace: one question at a time, examples first (§11.4.8). */
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

/** What a semantic indicator is evaluated with. */
export interface SemanticTools {
  readonly evaluator: AsyncSemanticEvaluator
  readonly clock: Clock
  readonly time: EvaluationTime
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
}

/** A semantic indicator, ready to be evaluated. */
export interface SemanticProgram {
  /** What is wrong with the evaluator, judging by the examples of the document; evaluated once. */
  examplesFault(): Promise<string | undefined>
  evaluate(message: Value): Promise<IndicatorVerdict>
}

/** Prepares a semantic indicator. */
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

/** The same evaluator, asked one thing at a time, within its time limit, and never twice about the same text. */
function inTurn({ evaluator, clock, time, signal }: SemanticTools): AsyncSemanticEvaluator {
  const expired = `semantic evaluation took longer than the ${time.milliseconds} ms that it may`
  const answers = new Map<string, Result<number, EvaluationError>>()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (...question: Parameters<AsyncSemanticEvaluator['evaluate']>) => {
    const [text] = question
    const known = answers.get(text)
    if (known !== undefined) return known
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

/** An evaluator comes from outside: whatever it throws or returns becomes a result. */
async function answerOf(
  evaluator: AsyncSemanticEvaluator,
  question: Parameters<AsyncSemanticEvaluator['evaluate']>,
): Promise<Result<number, EvaluationError>> {
  try {
    const answer: unknown = await evaluator.evaluate(...question)
    if (!isRecord(answer) || (answer.ok !== true && !isRecord(answer.error)))
      return failed('the evaluator gave no result')
    // The score is checked where it is used.
    return answer as Result<number, EvaluationError>
  } catch (thrown) {
    return failed(messageOf(thrown))
  }
}

/** The first example that the evaluator gets wrong, in words. */
async function checkExamples(semantic: SemanticMatch, evaluator: AsyncSemanticEvaluator): Promise<string | undefined> {
  for await (const fault of classifyExamples(semantic, evaluator)) if (fault !== undefined) return fault
  return undefined
}

function failed(message: string): Result<never, EvaluationError> {
  return err({ kind: 'semantic_error', message })
}

/** Classifies one example after the other: undefined where the evaluator agrees with the document, else the reason. */
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
      const named = `the ${kind} example ${index + 1} (${JSON.stringify(cut(text, 80))})`
      if (!answer.ok) yield `${named} could not be classified: ${answer.error.message}`
      else yield scoreFault(answer.value, limit, kind, named)
    }
  }
}

function scoreFault(score: unknown, limit: number, kind: 'positive' | 'negative', named: string): string | undefined {
  if (typeof score !== 'number' || !(score >= 0 && score <= 1))
    return `the score ${score} for ${named} is not between 0 and 1`
  return score >= limit === (kind === 'positive')
    ? undefined
    : `${named} has the score ${score} against threshold ${limit}`
}
