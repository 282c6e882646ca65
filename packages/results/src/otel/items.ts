/** Converts texts and tool calls from spans to the protocol messages that they represent. */
import { isList, isRecord, own, parseJson, type Value, type ValueRecord, writeJson } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'

export type PlainMessage = Pick<TraceEntry, 'protocol' | 'direction' | 'flow' | 'surface' | 'content'>

export interface Item {
  /** Identical for copies of an item in several spans, such as conversation history. */
  readonly key: string
  /** True for a tool call whose arguments were not recorded. */
  readonly isPartial?: boolean
  messages(id: string): readonly PlainMessage[]
}

/** Creates a tool call as a request to an MCP server. */
export function toolCall(name: string, values: ValueRecord | undefined): Item {
  const about = values === undefined ? {} : { arguments: values }
  return {
    key: `call ${writeJson({ name, ...about })}`,
    isPartial: values === undefined,
    messages: () => [
      { protocol: 'mcp', direction: 'request', flow: 'in', surface: 'tools/call', content: { name, ...about } },
    ],
  }
}

/** Creates a tool result as an MCP result. A value that is already an MCP result is kept. */
export function toolResult(result: Value): Item {
  const text = typeof result === 'string' ? result : writeJson(result)
  const value = typeof result === 'string' ? (parseJson(result) ?? result) : result
  const content = isMcpResult(value) ? value : { content: [{ type: 'text', text }] }
  return {
    key: `result ${text}`,
    messages: () => [{ protocol: 'mcp', direction: 'response', flow: 'out', surface: 'tools/call', content }],
  }
}

function isMcpResult(result: Value): boolean {
  const content = isRecord(result) ? own(result, 'content') : undefined
  return isList(content) && content.every((item) => isRecord(item) && typeof own(item, 'type') === 'string')
}

/** Creates a user message or an answer to it. If another agent called the agent, it is a message between the agents. */
export function textItem(from: 'user' | 'agent', text: string, isHandOff: boolean): Item {
  const key = `${isHandOff ? 'hand-off' : 'text'} ${from} ${text}`
  if (isHandOff) return { key, messages: (id) => [handOff(from, text, id)] }
  if (from === 'agent')
    return {
      key,
      messages: (id) => [
        event('TEXT_MESSAGE_START', { messageId: id, role: 'assistant' }),
        event('TEXT_MESSAGE_CONTENT', { messageId: id, delta: text }),
        event('TEXT_MESSAGE_END', { messageId: id }),
      ],
    }
  const messages = (id: string): PlainMessage[] => {
    const content = { messages: [{ id, role: 'user', content: text }] }
    return [{ protocol: 'ag_ui', direction: 'request', flow: 'out', surface: 'run_agent_input', content }]
  }
  return { key, messages }
}

function handOff(from: 'user' | 'agent', text: string, id: string): PlainMessage {
  const message = { kind: 'message', messageId: id, role: from, parts: [{ kind: 'text', text }] }
  return from === 'user'
    ? { protocol: 'a2a', direction: 'request', flow: 'in', surface: 'message/send', content: { message } }
    : { protocol: 'a2a', direction: 'response', flow: 'out', surface: 'message/send', content: message }
}

function event(type: string, fields: Readonly<Record<string, string>>): PlainMessage {
  const content = { type, ...fields }
  return { protocol: 'ag_ui', direction: 'response', flow: 'in', surface: type.toLowerCase(), content }
}
