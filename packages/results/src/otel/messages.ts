/**
 * Spans of an agent in production as protocol messages: tool calls become MCP, messages from users and answers AG-UI,
 * hand-offs A2A. Conventions: OpenTelemetry GenAI and OpenInference.
 */

import { extractProtocol, type NormalDocument, roleOf } from '@joust/oatf'
import { isList, isRecord, own, ownList, ownText, parseJson, type Value, writeJson } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'
import type { Attributes, Span } from './spans.ts'

/** A message, without the actor of a document. */
export interface SpanMessage extends Pick<TraceEntry, 'protocol' | 'direction' | 'flow' | 'surface' | 'content'> {
  /** The trace that it belongs to. */
  readonly session: string
}

export interface SpanMessages {
  readonly messages: readonly SpanMessage[]
  /** Model calls and tool calls without recorded content. */
  readonly notRecorded: number
}

/** Converts spans; a message that several spans repeat, such as the history of a conversation, appears once. */
export function messagesOf(spans: readonly Span[]): SpanMessages {
  const keys = new Set<string>()
  let notRecorded = 0
  const messages = spans.flatMap((span) => {
    const items = itemsOf(span.attributes)
    if (items === undefined) return []
    if (items.length === 0) notRecorded += 1
    return items.flatMap((item) => {
      const key = `${span.trace}\n${item.id ?? writeJson(item.message.content)}\n${item.message.direction}\n${item.message.surface}`
      if (keys.has(key)) return []
      keys.add(key)
      return [{ ...item.message, session: span.trace }]
    })
  })
  return { messages, notRecorded }
}

interface Item {
  /** The id of a tool call, which spans of the model and of the tool share. */
  readonly id?: string
  readonly message: Omit<SpanMessage, 'session'>
}

/** The messages in a span; undefined for a span about something else, empty where content was not recorded. */
function itemsOf(attributes: Attributes): Item[] | undefined {
  const operation = textAt(attributes, 'gen_ai.operation.name')
  const kind = textAt(attributes, 'openinference.span.kind')
  if (operation === 'execute_tool' || kind === 'TOOL' || textAt(attributes, 'mcp.method.name') === 'tools/call')
    return toolItems(attributes)
  if (operation === 'invoke_agent' || kind === 'AGENT') return handOff(attributes)
  if (kind === 'LLM') return flatMessages(attributes)
  if (operation === 'chat' || operation === 'generate_content' || operation === 'text_completion')
    return chatItems(attributes)
  return undefined
}

function toolItems(attributes: Attributes): Item[] {
  const name = textAt(attributes, 'gen_ai.tool.name') ?? textAt(attributes, 'tool.name')
  const written = firstOf(attributes, ['gen_ai.tool.call.arguments', 'tool.parameters', 'input.value'])
  const result = firstOf(attributes, ['gen_ai.tool.call.result', 'output.value'])
  const id = textAt(attributes, 'gen_ai.tool.call.id')
  if (name === undefined || written === undefined) return []
  return [toolCall(name, opened(written), id), ...(result === undefined ? [] : [toolResult(result, id)])]
}

function handOff(attributes: Attributes): Item[] {
  const text = firstOf(attributes, ['input.value', 'gen_ai.input.messages'])
  if (text === undefined) return []
  const parts = [{ kind: 'text', text: typeof text === 'string' ? text : writeJson(text) }]
  const content = { message: { role: 'user', kind: 'message', parts } }
  return [{ message: { protocol: 'a2a', direction: 'request', flow: 'in', surface: 'message/send', content } }]
}

/** The messages of OpenTelemetry: lists of roles with parts, as JSON or as values. */
function chatItems(attributes: Attributes): Item[] {
  const input = listAt(attributes, 'gen_ai.input.messages').flatMap((message) => messageItems(message, 'input'))
  const output = listAt(attributes, 'gen_ai.output.messages').flatMap((message) => messageItems(message, 'output'))
  return [...input, ...output]
}

function messageItems(message: Value, side: 'input' | 'output'): Item[] {
  const role = ownText(message, 'role') ?? ''
  return ownList(message, 'parts').flatMap((part): Item[] => {
    const type = ownText(part, 'type')
    const id = ownText(part, 'id')
    if (type === 'tool_call') return [toolCall(ownText(part, 'name') ?? '', opened(fieldOf(part, 'arguments')), id)]
    if (type === 'tool_call_response')
      return [toolResult(fieldOf(part, 'response') ?? fieldOf(part, 'result') ?? '', id)]
    const text = ownText(part, 'content')
    return text === undefined ? [] : textItems(role, text, side)
  })
}

/** The messages of OpenInference: one attribute per field, with indices in the name. */
function flatMessages(attributes: Attributes): Item[] {
  const read = (side: 'input' | 'output') => {
    const prefix = `llm.${side}_messages`
    return indices(attributes, prefix).flatMap((index) => flatMessage(attributes, `${prefix}.${index}.message`, side))
  }
  return [...read('input'), ...read('output')]
}

function flatMessage(attributes: Attributes, at: string, side: 'input' | 'output'): Item[] {
  const role = textAt(attributes, `${at}.role`) ?? ''
  const text = textAt(attributes, `${at}.content`)
  const calls = indices(attributes, `${at}.tool_calls`).map((index) => {
    const call = `${at}.tool_calls.${index}.tool_call`
    const name = textAt(attributes, `${call}.function.name`) ?? ''
    return toolCall(name, opened(attributes[`${call}.function.arguments`]), textAt(attributes, `${call}.id`))
  })
  if (role === 'tool') return text === undefined ? [] : [toolResult(text, textAt(attributes, `${at}.tool_call_id`))]
  return [...(text === undefined ? [] : textItems(role, text, side)), ...calls]
}

function indices(attributes: Attributes, prefix: string): number[] {
  const numbers = Object.keys(attributes).flatMap((name) => {
    if (!name.startsWith(`${prefix}.`)) return []
    const number = Number(name.slice(prefix.length + 1).split('.', 1)[0])
    return Number.isInteger(number) ? [number] : []
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}

function textItems(role: string, text: string, side: 'input' | 'output'): Item[] {
  if (text === '') return []
  const ui = { protocol: 'ag_ui' } as const
  if (role === 'user') {
    const content = { messages: [{ role: 'user', content: text }] }
    return [{ message: { ...ui, direction: 'request', flow: 'out', surface: 'run_agent_input', content } }]
  }
  if (role !== 'assistant' && side === 'input') return []
  const content = { type: 'TEXT_MESSAGE_CONTENT', delta: text }
  return [{ message: { ...ui, direction: 'response', flow: 'in', surface: 'text_message_content', content } }]
}

function toolCall(name: string, written: Value, id: string | undefined): Item {
  const content = { name, arguments: isRecord(written) ? written : { input: written } }
  const message = { protocol: 'mcp', direction: 'request', flow: 'in', surface: 'tools/call', content } as const
  return id === undefined ? { message } : { id, message }
}

function toolResult(result: Value, id: string | undefined): Item {
  const text = typeof result === 'string' ? result : writeJson(result)
  const content = { content: [{ type: 'text', text }] }
  const message = { protocol: 'mcp', direction: 'response', flow: 'out', surface: 'tools/call', content } as const
  return id === undefined ? { message } : { id, message }
}

function textAt(attributes: Attributes, name: string): string | undefined {
  const value = attributes[name]
  return typeof value === 'string' ? value : undefined
}

function firstOf(attributes: Attributes, names: readonly string[]): Value | undefined {
  return names.map((name) => attributes[name]).find((value) => value !== undefined && value !== '')
}

function listAt(attributes: Attributes, name: string): readonly Value[] {
  const value = opened(attributes[name])
  return isList(value) ? value : []
}

function fieldOf(value: Value, name: string): Value | undefined {
  return isRecord(value) ? own(value, name) : undefined
}

/** A value that may be JSON inside a string. */
function opened(value: Value | undefined): Value {
  if (typeof value !== 'string') return value ?? {}
  return parseJson(value) ?? value
}

/**
 * The entries that the actors of a document would have recorded. Production has no actors, so each message goes to every
 * actor of its protocol and side: tool calls to servers, user messages and answers to clients.
 */
export function productionEntries(messages: readonly SpanMessage[], { attack }: NormalDocument): TraceEntry[] {
  const actors = attack.execution.actors.map(({ name, mode, phases }) => {
    const place = { actor: name, mode, protocol: extractProtocol(mode), phase: phases[0]?.name ?? '' }
    return { role: roleOf(mode), place }
  })
  const entries = messages.flatMap((message) => {
    // A server receives requests from the agent and a client its responses.
    const role = (message.direction === 'request') === (message.flow === 'in') ? 'server' : 'client'
    return actors
      .filter((actor) => actor.place.protocol === message.protocol && actor.role === role)
      .map(({ place }) => ({ ...place, ...message }))
  })
  return entries.map((entry, index) => ({ seq: index + 1, at: new Date(0).toISOString(), elapsed_ms: 0, ...entry }))
}
