/** Provider finish reasons, and detection of empty and incomplete answers. */
import { cut, isRecord } from '@joust/source'
import type { LanguageModel, ModelAnswer, ModelContent, ModelStreamPart } from '../model/language-model.ts'

const WIRE = 'joust'

type Metadata = ModelAnswer['providerMetadata']

/** True if an answer has neither text nor tool calls. Reasoning is ignored. */
export function isEmptyAnswer(content: readonly ModelContent[]): boolean {
  return !content.some(hasContent)
}

/** True if a part has text or a tool call. Calls executed by the provider are ignored. */
export function hasContent(part: ModelContent | ModelStreamPart): boolean {
  if (part.type === 'tool-call') return part.providerExecuted !== true
  const text = part.type === 'text' ? part.text : part.type === 'text-delta' ? part.delta : ''
  return text.trim() !== ''
}

export function withResponse<Part extends { readonly providerMetadata?: Metadata }>(
  part: Part,
  response: string,
): Part {
  return { ...part, providerMetadata: { ...part.providerMetadata, [WIRE]: { response } } }
}

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

/** Finish reasons of incomplete answers, and their descriptions. */
const incomplete: ReadonlyMap<string, string> = new Map([
  ['length', 'was truncated at the token limit'],
  ['content-filter', "was truncated by the provider's filter"],
  ['error', 'ended with an error'],
])

const complete: ReadonlySet<string> = new Set(['stop', 'tool-calls'])

/** Provider finish reasons by common reason, in lower case with underscores. */
const words = {
  stop: ['stop', 'end_turn', 'stop_sequence', 'eos', 'eos_token', 'endoftext', 'complete', 'completed', 'normal'],
  'tool-calls': ['tool_calls', 'tool_call', 'tool_use', 'function_call', 'requires_action'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'incomplete'],
  'content-filter': ['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
  error: ['error', 'failed', 'cancelled', 'abort'],
  // The Anthropic library reports a paused turn as a complete answer.
  pause_turn: ['pause_turn'],
} as const
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([reason, spellings]) => spellings.map((word) => [word, reason])),
)

/** Maps a provider reason to a common reason. Unknown reasons are unchanged. */
function reasonOf(raw: string): string {
  return reasons.get(raw.toLowerCase().replaceAll('-', '_')) ?? raw
}

/** True if the provider's reason means that the answer is complete. */
export function isComplete(raw: string): boolean {
  return complete.has(reasonOf(raw))
}

/** Returns the finish reason of an answer, as a common reason if possible. */
export function finishOf(
  { unified, raw = '' }: ModelAnswer['finishReason'],
  { provider }: Pick<LanguageModel, 'provider'>,
  streamed: boolean,
): string {
  // The OpenAI library reports a refusal by the model as filtered, although the answer is complete.
  if (unified === 'content-filter' && (raw === 'stop' || (raw === '' && provider.startsWith('openai.')))) return 'stop'
  // The connection ended before the provider had finished.
  if (unified === 'interrupted') return 'none'
  if (unified === 'other') {
    if (raw !== '') return reasonOf(raw)
    // Small chat completion servers omit the reason. A stream without one may be incomplete.
    return !streamed && provider.endsWith('.chat') ? 'stop' : 'none'
  }
  // Some libraries report all answers with calls as complete.
  if (unified === 'tool-calls') return raw === '' || isComplete(raw) ? unified : reasonOf(raw)
  if (unified === 'stop') return reasons.has(raw.toLowerCase()) && !isComplete(raw) ? reasonOf(raw) : unified
  return unified
}

const SHOWN = 40

/** Describes an incomplete answer in a clause; undefined if it is complete. */
export function incompleteProblem(finish: string): string | undefined {
  if (complete.has(finish)) return undefined
  return incomplete.get(finish) ?? `may be incomplete (finish reason ${cut(finish, SHOWN)})`
}
