/** What a stream says, as the conversation that the next run begins with. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { Scene } from '../../driver.ts'
import { textOf } from './events.ts'

/** A tool call that a stream has begun. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** The event that began it. */
  readonly start: ValueRecord
  /** The phase in which it began. */
  readonly scene: Scene
}

/** Follows one stream. */
export interface Transcript {
  take(name: string, event: ValueRecord, scene: Scene): void
  /** The calls that the agent has shown no result of, in order. */
  unanswered(): readonly ToolCall[]
  /** The conversation so far. */
  messages(): readonly Value[]
  /** The state of the last snapshot. Deltas are left to the agent, which knows what they led to. */
  state(): Value | undefined
}

// The shapes of the protocol's messages, while they grow.
type Said = { id: string; role: string; content?: string; toolCalls?: Asked[] }
type Asked = { id: string; type: 'function'; function: { name: string; arguments: string } }

/** Nothing heard yet; the run began with these messages. */
export function createTranscript(history: readonly Value[], newId: () => string): Transcript {
  let messages: Value[] = [...history]
  let state: Value | undefined
  const said = new Map<string, Said>()
  const asked = new Map<string, Asked>()
  const calls = new Map<string, ToolCall>()
  const answered = new Set<string>()
  let last: Said | undefined
  let lastCall = ''

  const add = (id: string, role: string): Said => {
    const message: Said = { id, role }
    messages.push(message)
    said.set(id, message)
    last = message
    return message
  }
  const say = (event: ValueRecord) => {
    const id = textOf(event, 'messageId') ?? last?.id ?? newId()
    const message = said.get(id) ?? add(id, textOf(event, 'role') ?? 'assistant')
    message.content = (message.content ?? '') + (textOf(event, 'delta') ?? '')
  }
  /** Calls that follow one another belong to one message: models want the results right behind it. */
  const asker = (parent: string | undefined): Said => {
    const known = parent === undefined ? last : said.get(parent)
    const fits = known?.role === 'assistant' && (parent !== undefined || known === messages.at(-1))
    return fits ? known : add(parent ?? newId(), 'assistant')
  }
  const call = (event: ValueRecord, scene: Scene) => {
    const id = textOf(event, 'toolCallId') ?? lastCall
    lastCall = id
    if (id !== '' && !asked.has(id)) {
      const name = textOf(event, 'toolCallName') ?? ''
      const entry: Asked = { id, type: 'function', function: { name, arguments: '' } }
      const message = asker(textOf(event, 'parentMessageId'))
      message.toolCalls ??= []
      message.toolCalls.push(entry)
      asked.set(id, entry)
      calls.set(id, { id, name, start: event, scene })
    }
    argue(event)
  }
  const argue = (event: ValueRecord) => {
    const entry = asked.get(textOf(event, 'toolCallId') ?? lastCall)
    if (entry !== undefined) entry.function.arguments += textOf(event, 'delta') ?? ''
  }
  const answer = (event: ValueRecord) => {
    const toolCallId = own(event, 'toolCallId') ?? ''
    if (typeof toolCallId === 'string') answered.add(toolCallId)
    const content = own(event, 'content') ?? ''
    messages.push({ id: own(event, 'messageId') ?? newId(), role: 'tool', toolCallId, content })
  }
  const replace = (snapshot: Value | undefined) => {
    if (!isList(snapshot)) return
    messages = [...snapshot]
    said.clear()
    last = undefined
    for (const message of snapshot) {
      const id = isRecord(message) && own(message, 'role') === 'tool' ? textOf(message, 'toolCallId') : undefined
      if (id !== undefined) answered.add(id)
    }
  }
  const unanswered = () => [...calls.values()].filter(({ id }) => !answered.has(id))
  return {
    take(name, event, scene) {
      if (/^text_message_(start|content|chunk)$/.test(name)) say(event)
      else if (name === 'tool_call_start' || name === 'tool_call_chunk') call(event, scene)
      else if (name === 'tool_call_args') argue(event)
      else if (name === 'tool_call_result') answer(event)
      else if (name === 'messages_snapshot') replace(own(event, 'messages'))
      else if (name === 'state_snapshot') state = own(event, 'snapshot')
    },
    unanswered,
    messages() {
      const present = new Set(messages.flatMap(callIds))
      const lost = unanswered().flatMap(({ id }) => (present.has(id) ? [] : (asked.get(id) ?? [])))
      // A result without its call is no conversation, even if the agent's own snapshot has left the call out.
      return lost.length === 0 ? messages : [...messages, { id: newId(), role: 'assistant', toolCalls: lost }]
    },
    state: () => state,
  }
}

function callIds(message: Value): readonly string[] {
  const calls = isRecord(message) ? own(message, 'toolCalls') : undefined
  return isList(calls) ? calls.flatMap((call) => (isRecord(call) ? (textOf(call, 'id') ?? []) : [])) : []
}
