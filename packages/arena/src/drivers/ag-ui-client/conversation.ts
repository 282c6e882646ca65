/** The messages of a conversation, in the shapes of the protocol, while they grow. */
import type { Value, ValueRecord } from '@joust/source'
import { textOf } from '../../ag-ui/events.ts'

/** A tool call as it stands in a message. */
export type Asked = { id: string; type: 'function'; function: { name: string; arguments: string } }

type Said = { id: string; role: string; content?: string; toolCalls?: Asked[] }

/** A conversation so far. */
export interface Conversation {
  messages(): readonly Value[]
  /** Adds what an event says to the message that it belongs to; without an id, to the last one. */
  say(event: ValueRecord): void
  /** Adds a tool call to the message that it belongs to. */
  ask(call: Asked, parent: string | undefined): void
  /** Adds a message that does not grow. */
  add(message: ValueRecord): void
  /** Goes on from other messages. */
  replace(messages: readonly Value[]): void
}

/** A conversation that begins with these messages. */
export function createConversation(history: readonly Value[], newId: () => string): Conversation {
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
  /** Calls that follow one another belong to one message: models want the results right behind it. */
  const asker = (parent: string | undefined): Said => {
    const known = parent === undefined ? last : said.get(parent)
    const fits = known?.role === 'assistant' && (parent !== undefined || known === messages.at(-1))
    return fits ? known : begin(parent ?? newId(), 'assistant')
  }
  return {
    messages: () => messages,
    say(event) {
      const id = textOf(event, 'messageId') ?? last?.id ?? newId()
      const message = said.get(id) ?? begin(id, textOf(event, 'role') ?? 'assistant')
      message.content = (message.content ?? '') + (textOf(event, 'delta') ?? '')
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
