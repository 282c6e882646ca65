/** Probes a model before a run to detect a wrong key, model name or URL, and a server without tool support. */
import { startWithin, systemClock } from '@joust/io'
import { err, ok, type Result } from '@joust/source'
import type { LanguageModel, ModelCall, ModelSchema, ModelTool } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { callErrorOf, ModelTimeout } from './retry.ts'

/** The reason why a model cannot be used. */
export interface ModelRefusal {
  readonly code: 'no_answer' | 'no_tool_call'
  readonly message: string
}

interface ProbeOptions {
  /** Asks for a tool call instead of a word. @default false */
  readonly tool?: boolean
  /** Aborts the call. @default never aborted */
  readonly signal?: AbortSignal
}

/**
 * Asks a model for one word or one tool call. A temporary failure is not an error. Never rejects.
 *
 * @example
 * unwrap(await probeModel(model, { tool: true }))
 */
export async function probeModel(
  model: LanguageModel,
  options: ProbeOptions = {},
): Promise<Result<void, ModelRefusal>> {
  const { tool: isTool = false, signal = new AbortController().signal } = options
  const outcome = await ask(model, isTool ? toolCall : oneWord, signal)
  if (outcome !== 'text' || !isTool) return refusalOf(outcome)
  // A model may prefer text. If it supports tools, a required call must work.
  const forced = await ask(model, { ...toolCall, toolChoice: { type: 'required' } }, signal)
  return forced === 'call' || forced === undefined ? ok(undefined) : err(NO_TOOL_CALL)
}

const NO_TOOL_CALL: ModelRefusal = { code: 'no_tool_call', message: 'the model did not call a required tool' }

function promptOf(text: string): Pick<ModelCall, 'prompt'> {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text }] }] }
}

const oneWord = promptOf('Answer with the word ok.')

const inputSchema: ModelSchema = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }
const acknowledge: ModelTool = { type: 'function', name: 'acknowledge', description: 'Takes one word.', inputSchema }

const toolCall: ModelCall = {
  ...promptOf('Call the tool acknowledge with the word ok.'),
  tools: [acknowledge],
  toolChoice: { type: 'auto' },
}

/** The kind of answer, a permanent error, or undefined for a temporary failure. */
type Outcome = 'text' | 'call' | { readonly error: string } | undefined

async function ask(model: LanguageModel, call: ModelCall, signal: AbortSignal): Promise<Outcome> {
  const { modelRefusalMs } = runtimeLimits
  const send = (abortSignal: AbortSignal) => model.doGenerate({ ...call, abortSignal })
  try {
    const late = () => new ModelTimeout(modelRefusalMs)
    const { content } = await startWithin(systemClock, modelRefusalMs, [signal], send, late)
    return content.some(({ type }) => type === 'tool-call') ? 'call' : 'text'
  } catch (thrown) {
    const { message, retryable } = callErrorOf(thrown, Date.now())
    return !retryable || isWrongAddress(thrown) ? { error: oneLine(message) } : undefined
  }
}

function refusalOf(outcome: Outcome): Result<void, ModelRefusal> {
  return typeof outcome === 'object' ? err({ code: 'no_answer', message: outcome.error }) : ok(undefined)
}

/** Error codes for an unreachable host, an invalid certificate, or a port blocked by `fetch`. */
const WRONG_ADDRESS =
  /^(?:ECONNREFUSED|ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^bad port$/

/** True if the network error is permanent; others may be temporary. */
function isWrongAddress(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? thrown.code : thrown.message
  if (typeof code === 'string' && WRONG_ADDRESS.test(code)) return true
  return thrown.cause !== undefined && thrown.cause !== thrown && isWrongAddress(thrown.cause)
}

/** Joins lines, because OpenSSL messages end with a line break. */
function oneLine(message: string): string {
  return message.trim().replaceAll(/\s+/g, ' ')
}
