/** A model as the judge of semantic indicators. */
import { type Clock, systemClock } from '@joust/io'
import type { AsyncSemanticEvaluator, EvaluationError } from '@joust/oatf'
import { type Environment, type LanguageModel, type ModelProblem, resolveModel } from '@joust/runtime'
import { err, ok, type Result } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { CallUsage } from '../model/options.ts'
import { type AskOptions, askJudge, QUESTION_VERSION, type Question } from './ask-judge.ts'

/** Options of a judge. */
export interface ModelJudgeOptions {
  /** `provider/model`. */
  readonly model: string
  /** Where keys and base addresses are looked up. */
  readonly env: Environment
  /** Used in place of what the reference names: a recorded model, for example. */
  readonly bound?: LanguageModel
  /** Told of each answer and what it cost. */
  readonly onCall?: (usage: CallUsage) => void
  /** How long one answer may take; default one minute. */
  readonly timeoutMs?: number
  /** Stops what is being asked. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/** A judge, and what it is (§11.4.8). */
export interface ModelJudge {
  readonly evaluator: AsyncSemanticEvaluator
  readonly about: { readonly engine: string; readonly model: string; readonly version: string }
}

/** Makes a judge, or says why there is no such model. */
export async function modelJudge(options: ModelJudgeOptions): Promise<Result<ModelJudge, ModelProblem>> {
  const { model, env, bound, clock = systemClock, signal = new AbortController().signal } = options
  const found = bound === undefined ? await resolveModel(model, env) : ok(bound)
  if (!found.ok) return found
  const { timeoutMs = arenaLimits.judgeMs, onCall = () => {} } = options
  const ask = { model: found.value, timeoutMs, clock, signal, onCall, temperature: true }
  const about = { engine: 'language model', model, version: `joust judge ${QUESTION_VERSION}` }
  return ok({ evaluator: { evaluate: remember((...question) => evaluate(question, ask)) }, about })
}

async function evaluate(question: Question, ask: AskOptions): Promise<Result<number, EvaluationError>> {
  const length = question.reduce<number>((sum, part) => sum + (JSON.stringify(part)?.length ?? 0), 0)
  if (length > arenaLimits.judgeText)
    return failed(`the text has ${length} characters; a judge is asked about ${arenaLimits.judgeText} at most`)
  const score = await askJudge(question, ask)
  return score.ok ? score : failed(score.error)
}

type Evaluate = (...question: Question) => Promise<Result<number, EvaluationError>>

/** The same question is asked once, even while its answer is still on the way. A failed one may be asked again. */
function remember(evaluate: Evaluate): Evaluate {
  const answers = new Map<string, ReturnType<Evaluate>>()
  return (...question) => {
    const [text, intent, intentClass, , examples] = question
    const key = JSON.stringify([text, intent, intentClass ?? null, examples ?? null])
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = evaluate(...question)
    if (key.length > arenaLimits.judgeAnswerText || answers.size >= arenaLimits.judgeAnswers) return answer
    answers.set(key, answer)
    void answer.then(({ ok }) => ok || answers.delete(key))
    return answer
  }
}

function failed(message: string): Result<never, EvaluationError> {
  return err({ kind: 'semantic_error', message })
}
