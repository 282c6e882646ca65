/** The four wire formats and their URL paths. */
import type { Wire } from '../model/call.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { WireFormat } from './wire.ts'

interface Row {
  /** Matches the end of the path, without the query. */
  readonly path: RegExp
  readonly format: WireFormat
}

const wires: Readonly<Record<Exclude<Wire, 'other'>, Row>> = {
  'openai-chat': { path: /\/chat\/completions$/, format: openaiChat },
  'openai-responses': { path: /\/responses$/, format: openaiResponses },
  'anthropic-messages': { path: /\/messages$/, format: anthropicMessages },
  gemini: { path: /:(?:stream)?generateContent$/i, format: gemini },
}

export function wireOf(path: string): Wire {
  const [plain = ''] = path.split('?', 1)
  const row = Object.entries(wires).find(([, { path: pattern }]) => pattern.test(plain))
  // `Object.entries` loses the key type.
  return (row?.[0] as Wire | undefined) ?? 'other'
}

export function formatOf(wire: Wire): WireFormat | undefined {
  return wire === 'other' ? undefined : wires[wire].format
}

/** Paths that agents request for purposes other than model calls. */
const side =
  /\/(?:models(?:\/[^/:]*)?|count_tokens|input_tokens|compact|embeddings|batches)$|:(?:countTokens|embedContent|batchEmbedContents)$/

/** True for the path of a model call in an unsupported wire format. */
export function isUnknownPath(method: string, path: string): boolean {
  const [plain = ''] = path.split('?', 1)
  return method === 'POST' && wireOf(path) === 'other' && !side.test(plain)
}
