/** Finish reasons of providers, and detection of empty and incomplete answers. */
import { cut, isRecord } from '@joust/source'
import type { LanguageModel, ModelAnswer, ModelContent, ModelStreamPart } from '../model/language-model.ts'

/** The metadata key of the raw response. */
const WIRE = 'joust'

type Metadata = ModelAnswer['providerMetadata']

/** True for an answer without text and tool calls. Reasoning alone does not count. */
export function isEmptyAnswer(content: readonly ModelContent[]): boolean {
  return !content.some(hasContent)
}

/** True for a part with text or a tool call. Calls executed by the provider do not count. */
export function hasContent(part: ModelContent | ModelStreamPart): boolean {
  if (part.type === 'tool-call') return part.providerExecuted !== true
  const text = part.type === 'text' ? part.text : part.type === 'text-delta' ? part.delta : ''
  return text.trim() !== ''
}

/** Adds an excerpt of the raw response to the metadata of a part. */
export function withResponse<Part extends { readonly providerMetadata?: Metadata }>(
  part: Part,
  response: string,
): Part {
  return { ...part, providerMetadata: { ...part.providerMetadata, [WIRE]: { response } } }
}

/** Describes an empty answer. */
export function emptyAnswerProblem({
  finishReason,
  providerMetadata,
}: Omit<ModelAnswer, 'usage' | 'warnings'>): string {
  const finish = finishReason.raw ?? finishReason.unified
  const wire = providerMetadata?.[WIRE]
  const response = isRecord(wire) && typeof wire.response === 'string' ? `; response: ${wire.response}` : ''
  if (finishReason.unified === 'content-filter')
    return `the provider filtered or refused the answer (finish reason ${finish})${response}`
  return `empty answer without text or tool call (finish reason ${finish})${response}`
}

/** Finish reasons of incomplete answers, with a description. */
const incomplete: ReadonlyMap<string, string> = new Map([
  ['length', 'was truncated at the token limit'],
  ['content-filter', 'was truncated by the filter of the provider'],
  ['error', 'ended with an error'],
])

/** Finish reasons of a complete answer. */
const complete: ReadonlySet<string> = new Set(['stop', 'tool-calls'])

/** Finish reasons of providers by reason of the port, in lower case with underscores. */
const words = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'endoftext', 'complete', 'completed', 'normal'],
  'tool-calls': ['tool_calls', 'tool_call', 'tool_use', 'function_call', 'requires_action'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'incomplete'],
  'content-filter': ['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
  error: ['error', 'failed', 'cancelled', 'abort'],
  // The library for Anthropic reports a paused turn as a complete answer.
  pause_turn: ['pause_turn'],
} as const
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([reason, spellings]) => spellings.map((word) => [word, reason])),
)

/** Maps a reason of a provider to the port; unknown reasons are returned unchanged. */
function reasonOf(raw: string): string {
  return reasons.get(raw.toLowerCase().replaceAll('-', '_')) ?? raw
}

/** True if a reason of a provider means that the answer is complete. */
export function isComplete(raw: string): boolean {
  return complete.has(reasonOf(raw))
}

/** Returns the finish reason of an answer, as a reason of the port if possible. */
export function finishOf(
  { unified, raw = '' }: ModelAnswer['finishReason'],
  { provider }: Pick<LanguageModel, 'provider'>,
  streamed: boolean,
): string {
  // The library for OpenAI reports a refusal of the model, which is a complete answer, as filtered.
  if (unified === 'content-filter' && (raw === 'stop' || (raw === '' && provider.startsWith('openai.')))) return 'stop'
  // The connection ended before the provider had finished.
  if (unified === 'interrupted') return 'none'
  if (unified === 'other') {
    if (raw !== '') return reasonOf(raw)
    // Small chat completion servers omit the reason. A stream without one may be incomplete.
    return !streamed && provider.endsWith('.chat') ? 'stop' : 'none'
  }
  // Some libraries report every answer with calls as complete.
  if (unified === 'tool-calls') return raw === '' || isComplete(raw) ? unified : reasonOf(raw)
  if (unified === 'stop') return reasons.has(raw.toLowerCase()) && !isComplete(raw) ? reasonOf(raw) : unified
  return unified
}

/** Maximum length of a reason in a message. */
const SHOWN = 40

/** Describes an incomplete answer as a clause; undefined for a complete one. */
export function incompleteProblem(finish: string): string | undefined {
  if (complete.has(finish)) return undefined
  return incomplete.get(finish) ?? `may be incomplete (finish reason ${cut(finish, SHOWN)})`
}
