/** What an agent finally said, as far as its clients heard it. */
import { beginning, isList, isRecord, own, type Value } from '@joust/source'
import { bounds } from './limits.ts'
import type { TraceEntry } from './trace-entry.ts'

/** A message to a client. */
export type Heard = Pick<TraceEntry, 'mode' | 'flow' | 'surface' | 'content'>

/** The last text for the user that a client was given; undefined when there was none. */
export function finalAnswer(messages: Iterable<Heard>): string | undefined {
  let answer: string | undefined
  for (const { mode, flow, surface, content } of messages) {
    if (flow !== 'in' || !isRecord(content)) continue
    const said = readers[mode]?.(content, surface)
    if (said === undefined || said === '') continue
    answer = beginning(isContinued(content) ? `${answer ?? ''}${said}` : said, bounds.answerText)
  }
  return answer
}

type Reader = (content: Readonly<Record<string, Value>>, surface: string) => string | undefined

const readers: Readonly<Record<string, Reader>> = {
  ag_ui_client(content, surface) {
    const text = surface === 'text_message_end' ? own(content, '_text') : undefined
    return typeof text === 'string' ? text : undefined
  },
  a2a_client(content, surface) {
    if (!surface.startsWith('message/') && !surface.startsWith('tasks/')) return undefined
    const made = [own(content, 'artifact'), ...items(own(content, 'artifacts'))].map(textOfParts)
    const artifacts = made.filter((text) => text !== '').join('\n')
    const status = own(content, 'status')
    const said = isRecord(status) ? textOfParts(own(status, 'message')) : ''
    return artifacts || said || textOfParts(content)
  },
  mcp_client: (content, surface) => (surface === 'tools/call' ? textOf(own(content, 'content')) : undefined),
}

/** Whether it is one of several parts of an artifact. */
function isContinued(content: Readonly<Record<string, Value>>): boolean {
  return own(content, 'kind') === 'artifact-update' && own(content, 'append') === true
}

function textOfParts(message: Value | undefined): string {
  return isRecord(message) ? textOf(own(message, 'parts')) : ''
}

function textOf(parts: Value | undefined): string {
  const texts = items(parts).map((part) => own(part, 'text'))
  return texts.filter((text) => typeof text === 'string').join('\n')
}

function items(value: Value | undefined): readonly Value[] {
  return isList(value) ? value : []
}
