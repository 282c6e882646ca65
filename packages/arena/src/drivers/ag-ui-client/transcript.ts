/** What a stream says, as the conversation that the next run begins with. */
import { isList, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import type { Scene } from '../driver.ts'

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
  /** The calls for which the agent has shown no result, in order. */
  unanswered(): readonly ToolCall[]
  /** The conversation so far. */
  messages(): readonly Value[]
  /** The state of the last snapshot. Deltas are ignored: the agent knows where they led. */
  state(): Value | undefined
}

/** Follows a stream from its beginning; the run began with these messages. */
export function createTranscript(history: readonly Value[], newId: () => string): Transcript {
  const conversation = createConversation(history, newId)
  const calls = createCalls(conversation)
  let state: Value | undefined

  const answer = (event: ValueRecord) => {
    const toolCallId = own(event, 'toolCallId') ?? ''
    calls.answer(toolCallId)
    const content = own(event, 'content') ?? ''
    conversation.add({ id: own(event, 'messageId') ?? newId(), role: 'tool', toolCallId, content })
  }
  const replace = (snapshot: Value | undefined) => {
    if (!isList(snapshot)) return
    conversation.replace(snapshot)
    for (const message of snapshot) {
      if (own(message, 'role') === 'tool') calls.answer(own(message, 'toolCallId'))
    }
  }
  return {
    take(name, event, scene) {
      if (/^text_message_(start|content)$/.test(name)) conversation.say(event)
      else if (name === 'tool_call_start') calls.begin(event, scene)
      else if (name === 'tool_call_args') calls.argue(event)
      else if (name === 'tool_call_result') answer(event)
      else if (name === 'messages_snapshot') replace(own(event, 'messages'))
      else if (name === 'state_snapshot') state = own(event, 'snapshot')
    },
    unanswered: calls.unanswered,
    messages() {
      const messages = conversation.messages()
      const present = new Set(messages.flatMap(callIds))
      const lost = calls.unanswered().flatMap(({ id, asked }) => (present.has(id) ? [] : [asked]))
      // A result without its call is not a valid conversation, even if the agent's own snapshot left the call out.
      return lost.length === 0 ? messages : [...messages, { id: newId(), role: 'assistant', toolCalls: lost }]
    },
    state: () => state,
  }
}

interface Calls {
  begin(event: ValueRecord, scene: Scene): void
  /** More of the arguments; without an id, of the last call. */
  argue(event: ValueRecord): void
  answer(id: Value | undefined): void
  unanswered(): readonly WrittenCall[]
}

/** A call, and its form in a message. */
interface WrittenCall extends ToolCall {
  readonly asked: Asked
}

function createCalls(conversation: Conversation): Calls {
  const calls = new Map<string, WrittenCall>()
  const answered = new Set<Value>()
  let last = ''
  const argue = (event: ValueRecord) => {
    const call = calls.get(ownText(event, 'toolCallId') ?? last)
    if (call !== undefined) call.asked.function.arguments += ownText(event, 'delta') ?? ''
  }
  return {
    begin(event, scene) {
      last = ownText(event, 'toolCallId') ?? last
      if (last !== '' && !calls.has(last)) {
        const name = ownText(event, 'toolCallName') ?? ''
        const asked: Asked = { id: last, type: 'function', function: { name, arguments: '' } }
        conversation.ask(asked, ownText(event, 'parentMessageId'))
        calls.set(last, { id: last, name, start: event, scene, asked })
      }
      argue(event)
    },
    argue,
    answer(id) {
      if (id !== undefined) answered.add(id)
    },
    unanswered: () => [...calls.values()].filter(({ id }) => !answered.has(id)),
  }
}

function callIds(message: Value): readonly string[] {
  return ownList(message, 'toolCalls').flatMap((call) => ownText(call, 'id') ?? [])
}

/** A tool call in the form that messages have. */
type Asked = { id: string; type: 'function'; function: { name: string; arguments: string } }

type Said = { id: string; role: string; content?: string; toolCalls?: Asked[] }

/** A conversation so far. */
interface Conversation {
  messages(): readonly Value[]
  /** Adds what an event says to the message that it belongs to; without an id, to the last one. */
  say(event: ValueRecord): void
  /** Adds a tool call to the message that it belongs to. */
  ask(call: Asked, parent: string | undefined): void
  /** Adds a message that does not grow. */
  add(message: ValueRecord): void
  /** Continues from other messages. */
  replace(messages: readonly Value[]): void
}

/** A conversation that begins with these messages. */
function createConversation(history: readonly Value[], newId: () => string): Conversation {
  let messages: Value[] = [...history]
  const said = new Map<string, Said>()
  let last: Said | undefined

  const begin = (id: string, role: string): Said => {
    const message: Said = { id, role }
    messages.push(message)
    said.set(id, message)
    last = message
    return message
  }
  /** Consecutive calls belong to one message: models want the results right after it. */
  const asker = (parent: string | undefined): Said => {
    const known = parent === undefined ? last : said.get(parent)
    const fits = known?.role === 'assistant' && (parent !== undefined || known === messages.at(-1))
    return fits ? known : begin(parent ?? newId(), 'assistant')
  }
  return {
    messages: () => messages,
    say(event) {
      const id = ownText(event, 'messageId') ?? last?.id ?? newId()
      const message = said.get(id) ?? begin(id, ownText(event, 'role') ?? 'assistant')
      message.content = (message.content ?? '') + (ownText(event, 'delta') ?? '')
    },
    ask(call, parent) {
      const message = asker(parent)
      message.toolCalls ??= []
      message.toolCalls.push(call)
    },
    add(message) {
      messages.push(message)
    },
    replace(snapshot) {
      messages = [...snapshot]
      said.clear()
      last = undefined
    },
  }
}
