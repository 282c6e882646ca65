/** Answers that say nothing: an agent that got one has not answered. */
import { isRecord } from '@joust/source'
import type { ModelAnswer, ModelContent, ModelStreamPart } from '../model/language-model.ts'

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
