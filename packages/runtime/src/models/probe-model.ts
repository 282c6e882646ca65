/** One question to a model before anything is run: detects a wrong key, name or address, and a server without tools. */
import { startWithin, systemClock } from '@joust/io'
import type { LanguageModel, ModelCall, ModelTool } from '../model/language-model.ts'
import { runtimeLimits } from '../model/limits.ts'
import { faultOf, ModelTimeout } from './retry.ts'

/** Why a model is of no use: it never answers, or it never calls a tool. */
export interface ModelRefusal {
  readonly code: 'no_answer' | 'no_tool_call'
  readonly message: string
}

interface ProbeOptions {
  /** Ask for one tool call, in place of one word. */
  readonly tool?: boolean
  readonly signal?: AbortSignal
}

/** Asks for one word or one tool call. Undefined where the model answers, or may answer later. Never rejects. */
export async function probeModel(model: LanguageModel, options: ProbeOptions = {}): Promise<ModelRefusal | undefined> {
  const { tool: isTool = false, signal = new AbortController().signal } = options
  const answered = await ask(model, isTool ? toolCall : oneWord, signal)
  if (answered !== 'words' || !isTool) return refusalOf(answered)
  // A model may prefer words; a server that passes tools on makes it call one.
  const forced = await ask(model, { ...toolCall, toolChoice: { type: 'required' } }, signal)
  return forced === 'call' || forced === undefined ? undefined : NO_TOOL_CALL
}

const NO_TOOL_CALL: ModelRefusal = {
  code: 'no_tool_call',
  message: 'it was told to call the one tool that it was offered, and answered without a call',
}

function asking(text: string): Pick<ModelCall, 'prompt'> {
  return { prompt: [{ role: 'user', content: [{ type: 'text', text }] }] }
}

const oneWord = asking('Answer with the word ok.')

const acknowledge: ModelTool = {
  type: 'function',
  name: 'acknowledge',
  description: 'Takes one word.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
}

const toolCall: ModelCall = {
  ...asking('Call the tool acknowledge with the word ok.'),
  tools: [acknowledge],
  toolChoice: { type: 'auto' },
}

/** The kind of answer, the reason why there will never be one, or undefined where there may be one later. */
type Answered = 'words' | 'call' | { readonly refused: string } | undefined

async function ask(model: LanguageModel, call: ModelCall, signal: AbortSignal): Promise<Answered> {
  const { modelRefusalMs } = runtimeLimits
  const send = (abortSignal: AbortSignal) => model.doGenerate({ ...call, abortSignal })
  try {
    const late = new ModelTimeout(modelRefusalMs)
    const { content } = await startWithin(systemClock, modelRefusalMs, [signal], send, late)
    return content.some(({ type }) => type === 'tool-call') ? 'call' : 'words'
  } catch (thrown) {
    const { message, retryable } = faultOf(thrown, Date.now())
    return !retryable || isWrongAddress(thrown) ? { refused: oneLine(message) } : undefined
  }
}

function refusalOf(answered: Answered): ModelRefusal | undefined {
  return typeof answered === 'object' ? { code: 'no_answer', message: answered.refused } : undefined
}

/** Nobody is there, or nobody who speaks TLS with a valid certificate, or `fetch` blocks the port. */
const WRONG_ADDRESS =
  /^(?:ECONNREFUSED|ENOTFOUND|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^bad port$/

/** Whether trying later would not help. Any other failure on the way may go away. */
function isWrongAddress(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const code = 'code' in thrown ? thrown.code : thrown.message
  if (typeof code === 'string' && WRONG_ADDRESS.test(code)) return true
  return thrown.cause !== undefined && thrown.cause !== thrown && isWrongAddress(thrown.cause)
}

/** OpenSSL ends its messages with a line break. */
function oneLine(message: string): string {
  return message.trim().replaceAll(/\s+/g, ' ')
}
