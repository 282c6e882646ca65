/** One question to a judge: asked with a fresh boundary, within a time, again when the provider asks for patience. */

import { type Clock, pause, within } from '@joust/io'
import type { LanguageModel } from '@joust/runtime'
import { cut, err, ok, type Result } from '@joust/source'
import { messageOf } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import { blocks, instructions, type Question } from './question.ts'

/** What an answer has cost, as far as the provider tells. */
export interface JudgeUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Whom to ask, and how. */
export interface AskOptions {
  readonly model: LanguageModel
  readonly timeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onCall: (usage: JudgeUsage) => void
  /** Whether the model takes a temperature; found out by asking, and kept for the next question. */
  temperature: boolean
}

type ModelCall = Parameters<LanguageModel['doGenerate']>[0]
type Answer = Awaited<ReturnType<LanguageModel['doGenerate']>>

/** The score, or why there is none. Never rejects. */
export async function askJudge(question: Question, options: AskOptions): Promise<Result<number, string>> {
  for (let attempt = 1; ; attempt++) {
    const { temperature } = options
    const asked = await send(callFor(question, temperature), options)
    if (asked.ok) return asked.value
    const { message, retryable } = asked.error
    // Some models refuse what others need; the answer to that is to leave it out.
    if (temperature && /temperature/i.test(message)) options.temperature = false
    else if (!retryable || attempt >= bounds.judgeAttempts) return err(`the judge gave no answer: ${message}`)
    else await pause(options.clock, bounds.judgeRetryMs * 2 ** (attempt - 1), options.signal)
    if (options.signal.aborted) return err('the run was interrupted')
  }
}

function callFor(question: Question, temperature: boolean): ModelCall {
  // Drawn for each question, so that no text can know it. A recording knows it for an id, and so for one that varies.
  const boundary = crypto.randomUUID()
  return {
    prompt: [
      { role: 'system', content: instructions(boundary) },
      { role: 'user', content: [{ type: 'text', text: blocks(boundary, question) }] },
    ],
    ...(temperature ? { temperature: 0 } : {}),
  }
}

interface Fault {
  readonly message: string
  readonly retryable: boolean
}

async function send(call: ModelCall, options: AskOptions): Promise<Result<Result<number, string>, Fault>> {
  const { model, timeoutMs, clock, signal, onCall } = options
  const stop = new AbortController()
  const answered = ask(model, { ...call, abortSignal: AbortSignal.any([signal, stop.signal]) })
  const late = () => {
    stop.abort(new DOMException('no answer in time', 'TimeoutError'))
    const message = signal.aborted ? 'the run was interrupted' : `no answer within ${timeoutMs / 1000} seconds`
    return err({ message, retryable: false })
  }
  const asked = await within<Result<Answer, Fault>>(clock, timeoutMs, answered, signal, late)
  if (!asked.ok) return asked
  const { usage } = asked.value
  onCall({ inputTokens: usage.inputTokens?.total ?? 0, outputTokens: usage.outputTokens?.total ?? 0 })
  return { ok: true, value: scoreIn(asked.value) }
}

async function ask(model: LanguageModel, call: ModelCall): Promise<Result<Answer, Fault>> {
  try {
    return { ok: true, value: await model.doGenerate(call) }
  } catch (thrown) {
    const retryable = typeof thrown === 'object' && thrown !== null && Reflect.get(thrown, 'isRetryable') === true
    return err({ message: messageOf(thrown), retryable })
  }
}

/** An answer that was cut off, filtered or wants tools does not count. */
function scoreIn({ content, finishReason }: Answer): Result<number, string> {
  if (finishReason.unified !== 'stop') return err(`the judge did not finish its answer: ${finishReason.unified}`)
  return readScore(content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
}

/** As text, not as JSON: that would take the last of two scores, and hide that there were two. */
const ANSWER = /^\s*\{\s*"score"\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*\}\s*$/

/** `{"score": S}` and nothing else, white space aside. */
function readScore(text: string): Result<number, string> {
  const [, number] = (text.length <= bounds.judgeScoreText && ANSWER.exec(text)) || []
  if (number === undefined) return err(`the judge answered ${shown(text)}, not {"score": number}`)
  const score = Number(number)
  return score >= 0 && score <= 1 ? ok(score) : err(`the judge gave the score ${number}, which is not between 0 and 1`)
}

function shown(text: string): string {
  return JSON.stringify(cut(text, 120))
}
