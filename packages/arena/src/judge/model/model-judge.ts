/**
 * `@joust/arena/judge`: a model as the judge of semantic indicators ([OATF
 * §11.4.8](https://oatf.io/specification/conformance/)). Needs `@joust/runtime`.
 */

import { type Clock, systemClock } from '@joust/io'
import type { AsyncSemanticEvaluator, EvaluationError, LoadedAttack } from '@joust/oatf'
import { type Environment, type LanguageModel, type ModelProblem, resolveModel } from '@joust/runtime'
import { isRecord, ok, type Result } from '@joust/source'
import { arenaLimits } from '../../model/limits.ts'
import type { CallUsage } from '../../model/options.ts'
import { classifyExamples, failed } from '../semantic.ts'
import { type AskOptions, askJudge, QUESTION_VERSION, type Question } from './ask-judge.ts'

/** Options for {@link modelJudge}. */
export interface ModelJudgeOptions {
  /** The judge model, as `provider/model`. */
  readonly model: string
  /** Environment variables with keys and base URLs. */
  readonly env: Environment
  /** Used in place of the referenced model, for example a recorded model. @default the referenced model */
  readonly bound?: LanguageModel
  /** Called with the usage of each call. @default none */
  readonly onCall?: (usage: CallUsage) => void
  /** Time limit for one answer, in milliseconds. @default 1 minute */
  readonly timeoutMs?: number
  /** Aborts pending calls. @default never aborted */
  readonly signal?: AbortSignal
  /** @default the system clock */
  readonly clock?: Clock
}

/** A judge and its description (OATF §11.4.8). */
export interface ModelJudge {
  readonly evaluator: AsyncSemanticEvaluator
  readonly about: { readonly engine: string; readonly model: string; readonly version: string }
}

/**
 * Creates a judge, or returns why the model is unavailable.
 *
 * @example
 * const opened = unwrap(await modelJudge({ model: 'openai/gpt-5', env: process.env }))
 */
export async function modelJudge(options: ModelJudgeOptions): Promise<Result<ModelJudge, ModelProblem>> {
  const { model, env, bound, clock = systemClock, signal = new AbortController().signal } = options
  const resolved = bound === undefined ? await resolveModel(model, env) : ok(bound)
  if (!resolved.ok) return resolved
  const { timeoutMs = arenaLimits.judgeMs, onCall = () => {} } = options
  const ask = { model: resolved.value, timeoutMs, clock, signal, onCall, temperature: true }
  const about = { engine: 'language model', model, version: `joust judge ${QUESTION_VERSION}` }
  return ok({ evaluator: { evaluate: remember((...question) => evaluate(question, ask)) }, about })
}

async function evaluate(question: Question, ask: AskOptions): Promise<Result<number, EvaluationError>> {
  const length = question.reduce<number>((sum, part) => sum + (JSON.stringify(part)?.length ?? 0), 0)
  if (length > arenaLimits.judgeText)
    return failed(`the text is too long for the judge model: ${length} characters, at most ${arenaLimits.judgeText}`)
  const score = await askJudge(question, ask)
  return score.ok ? score : failed(score.error)
}

type Evaluate = (...question: Question) => Promise<Result<number, EvaluationError>>

/** Caches answers, including pending answers, but not failures. */
function remember(evaluate: Evaluate): Evaluate {
  const answers = new Map<string, ReturnType<Evaluate>>()
  return (...question) => {
    const [text, intent, intentClass, , examples] = question
    const key = JSON.stringify([text, intent, intentClass ?? null, examples ?? null])
    const cached = answers.get(key)
    if (cached !== undefined) return cached
    const answer = evaluate(...question)
    if (key.length > arenaLimits.judgeAnswerText || answers.size >= arenaLimits.judgeAnswers) return answer
    answers.set(key, answer)
    void answer.then(({ ok }) => ok || answers.delete(key))
    return answer
  }
}

/** The result of classifying the examples of an indicator. */
export interface Agreement {
  readonly indicator: string
  readonly right: number
  readonly of: number
  /** One message for each misclassified example. */
  readonly faults: readonly string[]
}

/** Classifies all examples in a document, per semantic indicator. */
export async function agreementWith(
  { document }: LoadedAttack,
  evaluator: AsyncSemanticEvaluator,
): Promise<Agreement[]> {
  const agreements: Agreement[] = []
  for (const { id = '', pattern, expression, semantic } of document.attack.indicators ?? []) {
    if (isRecord(pattern) || isRecord(expression) || semantic === undefined) continue
    let right = 0
    const faults: string[] = []
    for await (const fault of classifyExamples(semantic, evaluator)) {
      if (fault === undefined) right += 1
      else faults.push(fault)
    }
    const of = right + faults.length
    if (of > 0) agreements.push({ indicator: id, right, of, faults })
  }
  return agreements
}
