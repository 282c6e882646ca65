/** An agent's final answer, as received by its clients. */

import type { TraceEntry } from '@joust/results'
import { beginning, isRecord, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'
import type { ClientMode } from '../model/wiring.ts'

/** True if a text has letters or digits; any other text is not an answer. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

/** The fields of a trace entry that an answer is read from. */
export type ClientMessage = Pick<TraceEntry, 'mode' | 'flow' | 'surface' | 'content'>

/** Returns the last text for the user; undefined if there was none. */
export function finalAnswer(messages: Iterable<ClientMessage>): string | undefined {
  let answer: string | undefined
  for (const message of messages) answer = answerAfter(answer, message)
  return answer
}

export function answerAfter(
  answer: string | undefined,
  { mode, flow, surface, content }: ClientMessage,
): string | undefined {
  if (flow !== 'in' || !isRecord(content)) return answer
  const text = readers[mode]?.(content, surface)
  if (text === undefined || text === '') return answer
  return beginning(isContinued(content) ? `${answer ?? ''}${text}` : text, arenaLimits.answerText)
}

type Reader = (content: Readonly<Record<string, Value>>, surface: string) => string | undefined

const readers: Readonly<Record<string, Reader>> = {
  ag_ui_client: (content, surface) => (surface === 'text_message_end' ? ownText(content, '_text') : undefined),
  a2a_client(content, surface) {
    if (!surface.startsWith('message/') && !surface.startsWith('tasks/')) return undefined
    const artifacts = [own(content, 'artifact'), ...ownList(content, 'artifacts')].map(textOfParts)
    const text = artifacts.filter((part) => part !== '').join('\n')
    return text || textOfParts(own(own(content, 'status'), 'message')) || textOfParts(content)
  },
  mcp_client: (content, surface) => (surface === 'tools/call' ? textOf(ownList(content, 'content')) : undefined),
} satisfies Record<ClientMode, Reader>

function isContinued(content: Readonly<Record<string, Value>>): boolean {
  return own(content, 'kind') === 'artifact-update' && own(content, 'append') === true
}

function textOfParts(message: Value | undefined): string {
  return textOf(ownList(message, 'parts'))
}

function textOf(parts: readonly Value[]): string {
  const texts = parts.flatMap((part) => {
    const data = own(part, 'data')
    return ownText(part, 'text') ?? (isRecord(data) ? writeJson(data) : [])
  })
  return texts.join('\n')
}
