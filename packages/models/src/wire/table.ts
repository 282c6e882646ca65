/** The four wires, and the paths that belong to them. */
import type { Wire } from '../model/call.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { gemini } from './gemini.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'
import type { WireFormat } from './wire.ts'

interface Row {
  /** The end of its paths, without the query. */
  readonly path: RegExp
  readonly format: WireFormat
}

const wires: Readonly<Record<Exclude<Wire, 'other'>, Row>> = {
  'openai-chat': { path: /\/chat\/completions$/, format: openaiChat },
  'openai-responses': { path: /\/responses$/, format: openaiResponses },
  'anthropic-messages': { path: /\/messages$/, format: anthropicMessages },
  gemini: { path: /:(?:stream)?generateContent$/i, format: gemini },
}

/** The wire of a path. */
export function wireOf(path: string): Wire {
  const [plain = ''] = path.split('?', 1)
  const row = Object.entries(wires).find(([, { path: pattern }]) => pattern.test(plain))
  // The keys of the table are wires.
  return (row?.[0] as Wire | undefined) ?? 'other'
}

/** The format of a wire; undefined where there is none to read. */
export function formatOf(wire: Wire): WireFormat | undefined {
  return wire === 'other' ? undefined : wires[wire].format
}

/** Paths beside the four wires that agents are known to ask for. */
const side =
  /\/(?:models(?:\/[^/:]*)?|count_tokens|compact|embeddings|batches)$|:(?:countTokens|embedContent|batchEmbedContents)$/

/** True for a path that is a call to a model on no wire that can be read. */
export function isUnknownPath(method: string, path: string): boolean {
  const [plain = ''] = path.split('?', 1)
  return method === 'POST' && wireOf(path) === 'other' && !side.test(plain)
}
