/** Answers that do not count: those that say nothing, and those that are not whole. */
import { cut, isRecord } from '@joust/source'
import type { LanguageModel, ModelAnswer, ModelContent, ModelStreamPart } from '../model/language-model.ts'

/** The key of an answer's metadata that holds what it was on the wire. */
const WIRE = 'joust'

type Metadata = ModelAnswer['providerMetadata']

/** Whether there is neither text nor a call of a tool. Reasoning alone reaches nobody. */
export function answersNothing(content: readonly ModelContent[]): boolean {
  return !content.some(isSaying)
}

/** Whether a part makes an answer of what contains it. A call that the provider ran itself does not. */
export function isSaying(part: ModelContent | ModelStreamPart): boolean {
  if (part.type === 'tool-call') return part.providerExecuted !== true
  const text = part.type === 'text' ? part.text : part.type === 'text-delta' ? part.delta : ''
  return text.trim() !== ''
}

/** The same part, with a note of what came over the wire. */
export function withWire<Part extends { readonly providerMetadata?: Metadata }>(part: Part, came: string): Part {
  return { ...part, providerMetadata: { ...part.providerMetadata, [WIRE]: { came } } }
}

/** Why an answer that says nothing does not count. */
export function nothingFault({ finishReason, providerMetadata }: Omit<ModelAnswer, 'usage' | 'warnings'>): string {
  const finish = finishReason.raw ?? finishReason.unified
  const wire = providerMetadata?.[WIRE]
  const came = isRecord(wire) && typeof wire.came === 'string' ? `; what came back was ${wire.came}` : ''
  if (finishReason.unified === 'content-filter')
    return `the provider filtered or refused the answer (finish reason ${finish})${came}`
  return `the model answered nothing, neither text nor a tool call (finish reason ${finish})${came}`
}

/** Finish reasons of an answer that is not whole, and what happened to it. */
const unfinished: ReadonlyMap<string, string> = new Map([
  ['length', 'was cut off at its token limit'],
  ['content-filter', 'was cut off by the filter of its provider'],
  ['error', 'broke off with an error'],
])

/** The only finish reasons of a whole answer. */
const whole: ReadonlySet<string> = new Set(['stop', 'tool-calls'])

/** The words of providers for each reason of the port, in lower case with underscores. */
const words = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'endoftext', 'complete', 'completed', 'normal'],
  'tool-calls': ['tool_calls', 'tool_call', 'tool_use', 'function_call', 'requires_action'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'incomplete'],
  'content-filter': ['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
  error: ['error', 'failed', 'cancelled', 'abort'],
  // The library for Anthropic reports an unfinished turn as a whole answer.
  pause_turn: ['pause_turn'],
} as const
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([reason, spellings]) => spellings.map((word) => [word, reason])),
)

/** A reason of a provider in the word of the port; as it is where the port has none. */
function reasonOf(raw: string): string {
  return reasons.get(raw.toLowerCase().replaceAll('-', '_')) ?? raw
}

/** Whether a reason of a provider is known to mean that the answer is whole. */
export function isWhole(raw: string): boolean {
  return whole.has(reasonOf(raw))
}

/** The reason why an answer ended, in the words of the port where it has one. */
export function finishOf(
  { unified, raw = '' }: ModelAnswer['finishReason'],
  { provider }: Pick<LanguageModel, 'provider'>,
  streamed: boolean,
): string {
  // The library for OpenAI reports a refusal by the model, which is a whole answer, as filtered.
  if (unified === 'content-filter' && (raw === 'stop' || (raw === '' && provider.startsWith('openai.')))) return 'stop'
  if (unified === 'other') {
    if (raw !== '') return reasonOf(raw)
    // Small servers for chat completions leave the reason out. A stream without one may have broken off.
    return !streamed && provider.endsWith('.chat') ? 'stop' : 'none'
  }
  // A library may take any end of an answer with calls in it for a whole one.
  if (unified === 'tool-calls') return raw === '' || isWhole(raw) ? unified : reasonOf(raw)
  if (unified === 'stop') return reasons.has(raw.toLowerCase()) && !isWhole(raw) ? reasonOf(raw) : unified
  return unified
}

/** The most characters of a reason that a message shows. */
const SHOWN = 40

/** Why an answer is not whole, as a clause; undefined when it is. */
export function unfinishedFault(finish: string): string | undefined {
  if (whole.has(finish)) return undefined
  return unfinished.get(finish) ?? `does not say that it is complete (finish reason ${cut(finish, SHOWN)})`
}
