/** One question to a model: counted, retried within budget and deadline, reported as events, stopped by the signal. */

import { pause, startWithin } from '@joust/io'
import { defined, writeJson } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { failureOf, RunFailure, throwIfAborted } from '../model/errors.ts'
import type { AskedCall, TokenUsage } from '../model/events.ts'
import type { LanguageModel, ModelAnswer, ModelCall, ModelContent, ModelToolCall } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { fitPrompt } from './answer-format.ts'
import { type Answer, journaledCall } from './journaled-call.ts'
import { answersNothing, finishOf, nothingFault } from './no-answer.ts'
import { readStream } from './read-stream.ts'
import { type Fault, faultOf, ModelTimeout, waitBefore } from './retry.ts'

/** What a question is part of. */
interface Question {
  readonly model: LanguageModel
  readonly call: ModelCall
  readonly context: Pick<
    AgentContext,
    'run' | 'path' | 'budget' | 'signal' | 'clock' | 'random' | 'options' | 'emit' | 'warn' | 'journal'
  >
  /** Absent when a server asked for the call. */
  readonly step?: number
  /** Whether text is streamed as it comes in. */
  readonly stream: boolean
}

/** An answer, with the parts that matter picked out. */
export interface Reply {
  readonly content: ModelAnswer['content']
  readonly text: string
  readonly calls: readonly ModelToolCall[]
  /** Why it ended. An answer that is not whole is still an answer to a server that asked for one. */
  readonly finish: string
}

/** Asks until there is an answer. Rejects with a `RunFailure`: a limit, a cancellation, or `model_failed`. */
export async function askModel(question: Question): Promise<Reply> {
  const { model, context, call } = question
  const name = `${model.provider}/${model.modelId}`
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(context.signal, context.path)
    context.budget.startModelCall()
    context.emit({ type: 'model-called', model: name, ...stepOf(question), attempt, tools: toolNames(call) })
    const message = messageId(question, attempt)
    const sent = await send(question, message, attempt)
    if (sent.ok) {
      const reply = accept(sent.answer, question, name, message)
      if (!answersNothing(reply.content)) return reply
      throw modelFailure({ message: nothingFault(sent.answer), retryable: false }, name, attempt, context.path)
    }
    await waitOrFail(sent.thrown, sent.spoke, attempt, name, question)
  }
}

/** A name for an answer. Items of a batch share run, path and step, so a random part tells them apart. */
function messageId({ context, step }: Question, attempt: number): string {
  const chance = Math.floor(context.random() * 2 ** 32).toString(36)
  return [context.run, ...context.path, step ?? 'sampling', attempt, chance].join('.')
}

type Sent =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly thrown: unknown; readonly spoke: boolean }

async function send(question: Question, message: string, attempt: number): Promise<Sent> {
  const { model, call, context, step, stream } = question
  let spoke = false
  const onText = (delta: string) => {
    spoke = true
    context.emit({ type: 'model-text', message, ...stepOf(question), delta })
  }
  const milliseconds = context.options.timeouts?.modelMs ?? runtimeLimits.modelMs
  const ask = async (signal: AbortSignal): Promise<Answer> => {
    const asked: ModelCall = { ...call, prompt: fitPrompt(model, call.prompt), abortSignal: signal }
    const answer = stream
      ? await readStream((await model.doStream(asked)).stream, onText, signal)
      : await model.doGenerate(asked)
    return { ...answer, content: answer.content.map(withTextInput) }
  }
  const late = new ModelTimeout(milliseconds)
  try {
    const answer = await journaledCall({
      model,
      call,
      context,
      // What a server asks for is part of the call of its tool, which is already a step.
      journal: step === undefined ? undefined : context.journal,
      send: () => startWithin(context.clock, milliseconds, [context.signal], ask, late),
      retried: (thrown) => retriedFault(thrown, spoke, attempt, context)?.fault,
    })
    // An answer from the journal has not been streamed yet.
    if (stream && !spoke) onText(replyOf(answer, question).text)
    return { ok: true, answer }
  } catch (thrown) {
    return { ok: false, thrown, spoke }
  }
}

function accept(answer: Answer, question: Question, model: string, message: string): Reply {
  const { call, context } = question
  const reply = replyOf(answer, question)
  const usage = tokensOf(answer, call)
  const calls = reply.calls.map(
    ({ toolCallId, toolName, input }): AskedCall => ({ id: toolCallId, name: toolName, arguments: input }),
  )
  const { text, finish } = reply
  context.emit({ type: 'model-answered', model, ...stepOf(question), message, text, calls, usage, finish })
  if (usage.estimated) context.warn('tokens_estimated', `${model} reports no tokens; they are estimated by length`)
  if (question.step === undefined) context.journal?.spend(usage)
  context.budget.addTokens(usage)
  return reply
}

function replyOf({ content, finishReason }: Answer, { model, stream }: Question): Reply {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  // A call that the provider ran itself needs nothing from here.
  const calls = content.flatMap((part) => (part.type === 'tool-call' && part.providerExecuted !== true ? [part] : []))
  return { content, text, calls, finish: finishOf(finishReason, model, stream) }
}

/** Models of a host may hand over the arguments themselves, although the port wants their text. */
function withTextInput(part: ModelContent): ModelContent {
  const input: unknown = part.type === 'tool-call' ? part.input : ''
  return part.type !== 'tool-call' || typeof input === 'string' ? part : { ...part, input: writeJson(input) }
}

/** Waits for the next attempt, or rejects with the reason why there is none. */
async function waitOrFail(
  thrown: unknown,
  spoke: boolean,
  attempt: number,
  model: string,
  question: Question,
): Promise<void> {
  const { context } = question
  const { signal, path, clock, budget } = context
  if (signal.aborted) throw failureOf(signal, path)
  if (thrown instanceof RunFailure) throw thrown
  const fault = faultOf(thrown, clock.now())
  const wait = retriedFault(thrown, spoke, attempt, context)?.wait
  const inTime = wait !== undefined && (budget.deadline === undefined || clock.now() + wait < budget.deadline)
  const event = { type: 'model-failed', model, ...stepOf(question), attempt, reason: fault.message } as const
  context.emit(inTime ? { ...event, retryInMs: wait } : event)
  if (!inTime) throw modelFailure(fault, model, attempt, path)
  await pause(clock, wait, signal)
  throwIfAborted(signal, path)
}

/** The fault of a failure that is followed by another attempt, and when. */
function retriedFault(
  thrown: unknown,
  spoke: boolean,
  attempt: number,
  { clock, random }: Question['context'],
): { readonly fault: Fault; readonly wait: number } | undefined {
  const fault = faultOf(thrown, clock.now())
  // Text that was streamed cannot be taken back, so a broken stream is not restarted.
  if (!fault.retryable || spoke || attempt >= runtimeLimits.modelAttempts) return undefined
  const wait = waitBefore(attempt, fault, random)
  return wait === undefined ? undefined : { fault, wait }
}

function modelFailure(fault: Fault, model: string, attempts: number, agent: readonly string[]): RunFailure {
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`
  const details = defined({ model, attempts, status: fault.status })
  const message = `${model} failed${tries}: ${fault.message}`
  return new RunFailure({ code: 'model_failed', message, agent, cause: { message: fault.message }, details })
}

function toolNames(call: ModelCall): string[] {
  return (call.tools ?? []).map((tool) => tool.name)
}

function stepOf({ step }: Question): { readonly step?: number } {
  return step === undefined ? {} : { step }
}

const CHARACTERS_PER_TOKEN = 4

/** The tokens of one call: as reported, or estimated by length where a provider reports none. */
export function tokensOf(answer: Pick<ModelAnswer, 'usage' | 'content'>, call: ModelCall): TokenUsage {
  const input = count(answer.usage.inputTokens.total)
  const output = count(answer.usage.outputTokens.total)
  return {
    inputTokens: input ?? estimate([call.prompt, call.tools ?? []]),
    outputTokens: output ?? estimate(answer.content),
    estimated: input === undefined || output === undefined,
  }
}

function count(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0 ? Math.ceil(tokens) : undefined
}

function estimate(part: unknown): number {
  return Math.ceil((JSON.stringify(part)?.length ?? 0) / CHARACTERS_PER_TOKEN)
}
