/** What an agent finally said, as far as its clients heard it. */
import { beginning, isRecord, own, ownList, ownText, type Value, writeJson } from '@joust/source'
import { arenaLimits } from './limits.ts'
import type { TraceEntry } from './trace-entry.ts'

/** A message to a client. */
export type Heard = Pick<TraceEntry, 'mode' | 'flow' | 'surface' | 'content'>

/** The last text for the user that a client was given; undefined when there was none. */
export function finalAnswer(messages: Iterable<Heard>): string | undefined {
  let answer: string | undefined
  for (const message of messages) answer = answerAfter(answer, message)
  return answer
}

/** The answer so far, after one more message. */
export function answerAfter(answer: string | undefined, { mode, flow, surface, content }: Heard): string | undefined {
  if (flow !== 'in' || !isRecord(content)) return answer
  const said = readers[mode]?.(content, surface)
  if (said === undefined || said === '') return answer
  return beginning(isContinued(content) ? `${answer ?? ''}${said}` : said, arenaLimits.answerText)
}

type Reader = (content: Readonly<Record<string, Value>>, surface: string) => string | undefined

const readers: Readonly<Record<string, Reader>> = {
  ag_ui_client: (content, surface) => (surface === 'text_message_end' ? ownText(content, '_text') : undefined),
  a2a_client(content, surface) {
    if (!surface.startsWith('message/') && !surface.startsWith('tasks/')) return undefined
    const made = [own(content, 'artifact'), ...ownList(content, 'artifacts')].map(textOfParts)
    const artifacts = made.filter((text) => text !== '').join('\n')
    return artifacts || textOfParts(own(own(content, 'status'), 'message')) || textOfParts(content)
  },
  mcp_client: (content, surface) => (surface === 'tools/call' ? textOf(ownList(content, 'content')) : undefined),
}

/** Whether it is one of several parts of an artifact. */
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
