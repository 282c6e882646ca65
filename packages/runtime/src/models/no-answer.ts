/** Answers that do not count: those that say nothing, and those that are not whole. */
import { isRecord } from '@joust/source'
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
const unfinished = {
  length: 'was cut off at its token limit',
  'content-filter': 'was cut off by the filter of its provider',
  error: 'broke off with an error',
} as const

/** Providers' own words for these reasons, in lower case, where their library passes them on as they are. */
const synonyms: ReadonlyMap<string, keyof typeof unfinished> = new Map([
  ...(['length', 'max_tokens', 'max_output_tokens', 'max_length', 'model_length', 'incomplete'] as const).map(
    (word) => [word, 'length'] as const,
  ),
  ...(['content_filter', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii'] as const).map(
    (word) => [word, 'content-filter'] as const,
  ),
  ...(['error', 'failed', 'cancelled', 'abort'] as const).map((word) => [word, 'error'] as const),
])

/** The reason why an answer ended, in the words of the port where it has one. */
export function finishOf({ unified, raw }: ModelAnswer['finishReason'], { provider }: LanguageModel): string {
  // The library for OpenAI reports a refusal by the model, which is a whole answer, as filtered.
  if (unified === 'content-filter' && (raw === 'stop' || (raw === undefined && provider.startsWith('openai.'))))
    return 'stop'
  if (unified !== 'other' && unified !== 'tool-calls') return unified
  return synonyms.get(raw?.toLowerCase() ?? '') ?? (unified === 'other' ? (raw ?? unified) : unified)
}

/** Why an answer is not whole, as a clause; undefined when it is. */
export function unfinishedFault(finish: string): string | undefined {
  return Object.entries(unfinished).find(([reason]) => reason === finish)?.[1]
}
