/** Answers in which nothing is said: an agent that got one has not answered. */
import { isRecord } from '@joust/source'
import type { ModelAnswer, ModelContent, ModelStreamPart } from '../model/language-model.ts'

/** Where such an answer says what it was on the wire, among its metadata. */
const WIRE = 'joust'

type Metadata = ModelAnswer['providerMetadata']

/** Whether there is neither text nor a call of a tool. Reasoning alone reaches nobody. */
export function answersNothing(content: readonly ModelContent[]): boolean {
  return !content.some(isSaying)
}

/** Whether a part makes an answer out of what it is part of. A call that the provider ran itself asks for nothing. */
export function isSaying(part: ModelContent | ModelStreamPart): boolean {
  if (part.type === 'tool-call') return part.providerExecuted !== true
  const text = part.type === 'text' ? part.text : part.type === 'text-delta' ? part.delta : ''
  return text.trim() !== ''
}

/** The same with what came over the wire noted beside it. */
export function withWire<Part extends { readonly providerMetadata?: Metadata }>(part: Part, came: string): Part {
  return { ...part, providerMetadata: { ...part.providerMetadata, [WIRE]: { came } } }
}

/** Why an answer in which nothing is said does not count as one. */
export function nothingFault({ finishReason, providerMetadata }: Omit<ModelAnswer, 'usage' | 'warnings'>): string {
  const finish = finishReason.raw ?? finishReason.unified
  const wire = providerMetadata?.[WIRE]
  const came = isRecord(wire) && typeof wire.came === 'string' ? `; what came back was ${wire.came}` : ''
  if (finishReason.unified === 'content-filter')
    return `the provider filtered or refused the answer (finish reason ${finish})${came}`
  return `the model answered nothing, neither text nor a tool call (finish reason ${finish})${came}`
}
