/** One model call: counted, retried within limits, and reported as events. */
import { pause, startWithin } from '@joust/io'
import { defined, messageOf, writeJson } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { failureOf, RunFailure, throwIfAborted } from '../model/errors.ts'
import type { RequestedCall, TokenUsage } from '../model/events.ts'
import type { LanguageModel, ModelAnswer, ModelCall, ModelContent, ModelToolCall } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { orderPrompt } from './answer-format.ts'
import { requireAnswer } from './check-answer.ts'
import { emptyAnswerProblem, finishOf, isEmptyAnswer } from './finish-reason.ts'
import { type Answer, journaledCall } from './journaled-call.ts'
import { readStream } from './read-stream.ts'
import { type CallError, callErrorOf, ModelTimeout, waitBefore } from './retry.ts'

interface CallRequest {
  readonly model: LanguageModel
  readonly call: ModelCall
  readonly context: Pick<
    AgentContext,
    'run' | 'path' | 'budget' | 'signal' | 'clock' | 'random' | 'options' | 'emit' | 'warn' | 'journal'
  >
  /** Absent if a server requested the call. */
  readonly step?: number
  readonly stream: boolean
  /** True if a guardrail must check the output before its text may reach clients. */
  readonly withheld?: boolean
}

/** An answer with its text and tool calls extracted. */
export interface Reply {
  readonly content: ModelAnswer['content']
  readonly text: string
  readonly calls: readonly ModelToolCall[]
  /** The finish reason. Sampling requests from servers accept incomplete answers. */
  readonly finish: string
}

/** Calls a model, with retries. Rejects with a `RunFailure`: exceeded limit, cancellation or `model_failed`. */
export async function askModel(request: CallRequest): Promise<Reply> {
  const { model, context, call } = request
  const name = `${model.provider}/${model.modelId}`
  const tools = (call.tools ?? []).map((tool) => tool.name)
  for (let attempt = 1; ; attempt++) {
    throwIfAborted(context.signal, context.path)
    context.budget.startModelCall()
    context.emit({ type: 'model-called', model: name, ...stepOf(request), attempt, tools })
    const message = messageId(request, attempt)
    const started = context.clock.now()
    const sent = await send(request, message, attempt)
    observe(sent, request, name, started)
    if (sent.ok) {
      const reply = accept(sent.answer, request, name, message)
      if (!isEmptyAnswer(reply.content)) return reply
      throw modelFailure({ message: emptyAnswerProblem(sent.answer), retryable: false }, name, attempt, context.path)
    }
    await waitOrFail(sent.thrown, sent.streamed, attempt, name, request)
  }
}

/** Creates an answer id. The random suffix is needed because batch items share run, path and step. */
function messageId({ context, step }: CallRequest, attempt: number): string {
  const suffix = Math.floor(context.random() * 2 ** 32).toString(36)
  return [context.run, ...context.path, step ?? 'sampling', attempt, suffix].join('.')
}

type Sent =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly thrown: unknown; readonly streamed: boolean }

async function send(request: CallRequest, message: string, attempt: number): Promise<Sent> {
  const { model, call, context, step, stream } = request
  let streamed = false
  const onText = (delta: string) => {
    streamed = true
    context.emit({ type: 'model-text', message, ...stepOf(request), delta })
  }
  const milliseconds = context.options.timeouts?.modelMs ?? runtimeLimits.modelMs
  const ask = async (signal: AbortSignal, alive: () => void): Promise<Answer> => {
    const request: ModelCall = { ...call, prompt: orderPrompt(model, call.prompt), abortSignal: signal }
    const answer = stream
      ? await readStream((await model.doStream(request)).stream, { onText, onPart: alive }, signal)
      : await model.doGenerate(request)
    requireAnswer(answer)
    return { ...answer, content: answer.content.map(withTextInput) }
  }
  const late = () => new ModelTimeout(milliseconds)
  try {
    const answer = await journaledCall({
      model,
      call,
      context,
      // A sampling request is part of a tool call, which is already a journal step.
      journal: step === undefined ? undefined : context.journal,
      send: () => startWithin(context.clock, milliseconds, [context.signal], ask, late),
      retried: (thrown) => retryOf(thrown, streamed, attempt, context)?.error,
    })
    // Answers from the journal have not been streamed yet.
    if (stream && !streamed) onText(replyOf(answer, request).text)
    return { ok: true, answer }
  } catch (thrown) {
    return { ok: false, thrown, streamed }
  }
}

function observe(sent: Sent, request: CallRequest, model: string, started: number): void {
  const { context, call } = request
  const { onModelCall } = context.options
  if (onModelCall === undefined) return
  const attempt = { model, call: { ...call, prompt: orderPrompt(request.model, call.prompt) }, started }
  const duration = context.clock.now() - started
  if (!sent.ok) {
    const { filtered } = callErrorOf(sent.thrown, 0)
    onModelCall({ ...attempt, duration, answer: defined({ error: messageOf(sent.thrown), filtered }) })
    return
  }
  const { text, finish, ...reply } = replyOf(sent.answer, request)
  const { inputTokens, outputTokens } = tokensOf(sent.answer, call)
  const calls = reply.calls.map(requestedCall)
  onModelCall({ ...attempt, duration, answer: { text, calls, finish, inputTokens, outputTokens } })
}

function requestedCall({ toolCallId, toolName, input }: ModelToolCall): RequestedCall {
  return { id: toolCallId, name: toolName, arguments: input }
}

function accept(answer: Answer, request: CallRequest, model: string, message: string): Reply {
  const { call, context } = request
  const reply = replyOf(answer, request)
  const usage = tokensOf(answer, call)
  const calls = reply.calls.map(requestedCall)
  const { text, finish } = reply
  const withheld = request.withheld === true && ({ withheld: true } as const)
  context.emit({ type: 'model-answered', model, ...stepOf(request), message, text, calls, usage, finish, ...withheld })
  if (usage.estimated)
    context.warn('tokens_estimated', `${model} reports no token usage; estimated from the text length`)
  if (request.step === undefined) context.journal?.spend(usage)
  context.budget.addTokens(usage)
  return reply
}

function replyOf({ content, finishReason }: Answer, { model, stream }: CallRequest): Reply {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  // Calls executed by the provider are excluded.
  const calls = content.flatMap((part) => (part.type === 'tool-call' && part.providerExecuted !== true ? [part] : []))
  return { content, text, calls, finish: finishOf(finishReason, model, stream) }
}

/** Converts arguments to text. Models provided by a host may return objects. */
function withTextInput(part: ModelContent): ModelContent {
  const input: unknown = part.type === 'tool-call' ? part.input : ''
  return part.type !== 'tool-call' || typeof input === 'string' ? part : { ...part, input: writeJson(input) }
}

async function waitOrFail(thrown: unknown, streamed: boolean, attempt: number, model: string, request: CallRequest) {
  const { context } = request
  const { signal, path, clock, budget } = context
  if (signal.aborted) throw failureOf(signal, path)
  if (thrown instanceof RunFailure) throw thrown
  const error = callErrorOf(thrown, clock.now())
  const wait = retryOf(thrown, streamed, attempt, context)?.wait
  const inTime = wait !== undefined && (budget.deadline === undefined || clock.now() + wait < budget.deadline)
  const event = { type: 'model-failed', model, ...stepOf(request), attempt, reason: error.message } as const
  context.emit(inTime ? { ...event, retryInMs: wait } : event)
  if (!inTime) throw modelFailure(error, model, attempt, path)
  await pause(clock, wait, signal)
  throwIfAborted(signal, path)
}

/** Returns the error and delay if the call is retried. */
function retryOf(
  thrown: unknown,
  streamed: boolean,
  attempt: number,
  { clock, random, options }: CallRequest['context'],
): { readonly error: CallError; readonly wait: number } | undefined {
  const error = callErrorOf(thrown, clock.now())
  // Streamed text cannot be retracted, so a broken stream is not restarted.
  const attempts = 1 + (options.modelRetries ?? runtimeLimits.modelRetries)
  // Further timeouts would only take more time.
  const most = thrown instanceof ModelTimeout ? Math.min(2, attempts) : attempts
  if (!error.retryable || streamed || attempt >= most) return undefined
  const wait = waitBefore(attempt, error, random)
  return wait === undefined ? undefined : { error, wait }
}

function modelFailure(error: CallError, model: string, attempts: number, agent: readonly string[]): RunFailure {
  const count = attempts === 1 ? '' : ` after ${attempts} attempts`
  const details = defined({ model, attempts, status: error.status })
  const message = `${model} failed${count}: ${error.message}`
  return new RunFailure({ code: 'model_failed', message, agent, cause: { message: error.message }, details })
}

function stepOf({ step }: CallRequest): { readonly step?: number } {
  return step === undefined ? {} : { step }
}

const CHARACTERS_PER_TOKEN = 4

/** Returns the tokens of one call, estimated from the text length if the provider reports none. */
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
