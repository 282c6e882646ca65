/** Semantic indicators over a trace: one question at a time, examples first (§11.4.8). */

import { type Clock, within } from '@joust/io'
import {
  type AsyncSemanticEvaluator,
  type EvaluationError,
  evaluateIndicatorAsync,
  type Indicator,
  type IndicatorVerdict,
  type SemanticMatch,
} from '@joust/oatf'
import { err, isRecord, type Limits, type Result, type Value } from '@joust/source'
import { messageOf } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import type { Budget } from './budget.ts'
import { classifyExamples } from './examples.ts'

/** What a semantic indicator is evaluated with. */
export interface SemanticTools {
  readonly evaluator: AsyncSemanticEvaluator
  readonly clock: Clock
  readonly budget: Budget
  readonly signal?: AbortSignal
  readonly limits?: Partial<Limits>
}

/** A semantic indicator, made ready. */
export interface SemanticProgram {
  /** What is wrong with the evaluator, by the examples of the document; asked once. */
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

/** The same evaluator, asked one thing at a time, not longer than the budget lasts, and not twice about the same text. */
function inTurn({ evaluator, clock, budget, signal }: SemanticTools): AsyncSemanticEvaluator {
  const answers = new Map<string, Result<number, EvaluationError>>()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async (...question: Parameters<AsyncSemanticEvaluator['evaluate']>) => {
    const [text] = question
    const known = answers.get(text)
    if (known !== undefined) return known
    const late = () => failed(signal?.aborted ? 'the run was interrupted' : expired(budget))
    if (budget.left() <= 0) return late()
    const start = clock.now()
    const answer = await within(clock, budget.left(), answerOf(evaluator, question), signal, late)
    budget.spend(clock.now() - start)
    if (answer.ok && text.length <= bounds.semanticAnswerText && answers.size < bounds.semanticAnswers)
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

/** An evaluator comes from outside: whatever it throws or returns is a result. */
async function answerOf(
  evaluator: AsyncSemanticEvaluator,
  question: Parameters<AsyncSemanticEvaluator['evaluate']>,
): Promise<Result<number, EvaluationError>> {
  try {
    const answer: unknown = await evaluator.evaluate(...question)
    if (!isRecord(answer) || (answer.ok !== true && !isRecord(answer.error)))
      return failed('the evaluator gave no result')
    // The score is looked at where it is used.
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

function expired({ milliseconds }: Budget): string {
  return `semantic evaluation took longer than the ${milliseconds} ms that it may`
}

function failed(message: string): Result<never, EvaluationError> {
  return err({ kind: 'semantic_error', message })
}
