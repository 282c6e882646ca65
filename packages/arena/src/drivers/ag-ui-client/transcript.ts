/** The conversation of a stream, as messages for the next run. */
import { isList, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import type { Scene } from '../driver.ts'

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly start: ValueRecord
  /** The phase in which the call started. */
  readonly scene: Scene
}

export interface Interrupt {
  readonly interrupt: ValueRecord
  readonly scene: Scene
}

export interface Transcript {
  take(name: string, event: ValueRecord, scene: Scene): void
  unanswered(): readonly ToolCall[]
  messages(): readonly Value[]
  /** Returns the interrupts that ended the run and need a response, each with its phase (AG-UI 1.0). */
  interrupts(): readonly Interrupt[]
  /** Returns the last state snapshot. Deltas are ignored, since the agent has applied them itself. */
  state(): Value | undefined
}

/** `history` contains the messages of the input. */
export function createTranscript(history: readonly Value[], newId: () => string): Transcript {
  const conversation = createConversation(history, newId)
  const calls = createCalls(conversation)
  let state: Value | undefined
  let interrupts: readonly Interrupt[] = []

  const answer = (event: ValueRecord) => {
    const toolCallId = own(event, 'toolCallId') ?? ''
    calls.answer(toolCallId)
    const content = own(event, 'content') ?? ''
    conversation.add({ id: own(event, 'messageId') ?? newId(), role: 'tool', toolCallId, content })
  }
  const replace = (snapshot: Value | undefined) => {
    if (!isList(snapshot)) return
    conversation.replace(snapshot)
    for (const message of snapshot) if (own(message, 'role') === 'tool') calls.answer(own(message, 'toolCallId'))
  }
  return {
    take(name, event, scene) {
      if (/^text_message_(start|content)$/.test(name)) conversation.say(event)
      else if (name === 'tool_call_start') calls.begin(event, scene)
      else if (name === 'tool_call_args') calls.addArguments(event)
      else if (name === 'tool_call_result') answer(event)
      else if (name === 'messages_snapshot') replace(own(event, 'messages'))
      else if (name === 'run_finished') interrupts = interruptsIn(event, scene)
      else if (name === 'state_snapshot') state = own(event, 'snapshot')
    },
    // An interrupted call waits for the response to its interrupt.
    unanswered: () => {
      const waiting = new Set(interrupts.map(({ interrupt }) => own(interrupt, 'toolCallId')))
      return calls.unanswered().filter(({ id }) => !waiting.has(id))
    },
    interrupts: () => interrupts,
    messages() {
      const messages = conversation.messages()
      const present = new Set(messages.flatMap(callIds))
      const lost = calls.unanswered().flatMap(({ id, written }) => (present.has(id) ? [] : [written]))
      // A result needs its call, even if the agent's snapshot omits it.
      return lost.length === 0 ? messages : [...messages, { id: newId(), role: 'assistant', toolCalls: lost }]
    },
    state: () => state,
  }
}

function interruptsIn(event: ValueRecord, scene: Scene): readonly Interrupt[] {
  const outcome = own(event, 'outcome')
  if (own(outcome, 'type') !== 'interrupt') return []
  return ownList(outcome, 'interrupts').flatMap((interrupt) => (isRecord(interrupt) ? [{ interrupt, scene }] : []))
}

interface Calls {
  begin(event: ValueRecord, scene: Scene): void
  /** An event without an id extends the last call. */
  addArguments(event: ValueRecord): void
  answer(id: Value | undefined): void
  unanswered(): readonly WrittenCall[]
}

interface WrittenCall extends ToolCall {
  readonly written: MessageCall
}

function createCalls(conversation: Conversation): Calls {
  const calls = new Map<string, WrittenCall>()
  const answered = new Set<Value>()
  let last = ''
  const addArguments = (event: ValueRecord) => {
    const call = calls.get(ownText(event, 'toolCallId') ?? last)
    if (call !== undefined) call.written.function.arguments += ownText(event, 'delta') ?? ''
  }
  return {
    begin(event, scene) {
      last = ownText(event, 'toolCallId') ?? last
      if (last !== '' && !calls.has(last)) {
        const name = ownText(event, 'toolCallName') ?? ''
        const written: MessageCall = { id: last, type: 'function', function: { name, arguments: '' } }
        conversation.ask(written, ownText(event, 'parentMessageId'))
        calls.set(last, { id: last, name, start: event, scene, written })
      }
      addArguments(event)
    },
    addArguments,
    answer(id) {
      if (id !== undefined) answered.add(id)
    },
    unanswered: () => [...calls.values()].filter(({ id }) => !answered.has(id)),
  }
}

function callIds(message: Value): readonly string[] {
  return ownList(message, 'toolCalls').flatMap((call) => ownText(call, 'id') ?? [])
}

type MessageCall = { id: string; type: 'function'; function: { name: string; arguments: string } }

type WrittenMessage = { id: string; role: string; content?: string; toolCalls?: MessageCall[] }

interface Conversation {
  messages(): readonly Value[]
  /** An event without an id extends the last message. */
  say(event: ValueRecord): void
  ask(call: MessageCall, parent: string | undefined): void
  add(message: ValueRecord): void
  replace(messages: readonly Value[]): void
}

function createConversation(history: readonly Value[], newId: () => string): Conversation {
  let messages: Value[] = [...history]
  const byId = new Map<string, WrittenMessage>()
  let last: WrittenMessage | undefined

  const begin = (id: string, role: string): WrittenMessage => {
    const message: WrittenMessage = { id, role }
    messages.push(message)
    byId.set(id, message)
    last = message
    return message
  }
  /** Consecutive calls share a message, since models require the results right after the calls. */
  const callerOf = (parent: string | undefined): WrittenMessage => {
    const message = parent === undefined ? last : byId.get(parent)
    const fits = message?.role === 'assistant' && (parent !== undefined || message === messages.at(-1))
    return fits ? message : begin(parent ?? newId(), 'assistant')
  }
  return {
    messages: () => messages,
    say(event) {
      const id = ownText(event, 'messageId') ?? last?.id ?? newId()
      const message = byId.get(id) ?? begin(id, ownText(event, 'role') ?? 'assistant')
      message.content = (message.content ?? '') + (ownText(event, 'delta') ?? '')
    },
    ask(call, parent) {
      const message = callerOf(parent)
      message.toolCalls ??= []
      message.toolCalls.push(call)
    },
    add(message) {
      messages.push(message)
    },
    replace(snapshot) {
      messages = [...snapshot]
      byId.clear()
      last = undefined
    },
  }
}
