/**
 * Reads messages from attributes and events of spans. OpenTelemetry uses lists of roles with parts, as JSON or as
 * values; its earlier conventions use one event per message; OpenInference and OpenLLMetry use one attribute per field.
 */
import { defined, isList, isRecord, own, ownText, parseJson, type Value, type ValueRecord } from '@joust/source'
import { type Item, textItem, toolCall, toolResult } from './items.ts'
import type { Attributes, SpanEvent } from './spans.ts'

type Side = 'input' | 'output'

export function conversationItems(attributes: Attributes, isHandOff: boolean): Item[] {
  const items = (side: Side, messages: readonly Value[]) =>
    messages.flatMap((message) => messageItems(message, side, isHandOff))
  return [
    ...items('input', [
      ...listAt(attributes, 'gen_ai.input.messages'),
      ...listAt(attributes, 'gen_ai.prompt'),
      ...flatMessages(attributes, 'gen_ai.prompt', ''),
      ...flatMessages(attributes, 'llm.input_messages', 'message.'),
    ]),
    ...items('output', [
      ...listAt(attributes, 'gen_ai.output.messages'),
      ...listAt(attributes, 'gen_ai.completion'),
      ...flatMessages(attributes, 'gen_ai.completion', ''),
      ...flatMessages(attributes, 'llm.output_messages', 'message.'),
    ]),
  ]
}

/** Roles of the events that contain one message each. */
const eventRoles: ReadonlyMap<string, string> = new Map([
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
])

/**
 * Returns the messages of an event. The name of the event determines whether it has one message or all messages of a
 * call.
 */
export function eventItems({ name, attributes }: SpanEvent, isHandOff: boolean): Item[] {
  const role = eventRoles.get(name)
  if (role === undefined) return conversationItems(attributes, isHandOff)
  const body = parseNested(own(attributes, 'gen_ai.event.content'))
  const fields = { ...attributes, ...(isRecord(body) && body) }
  const inner = parseNested(own(fields, 'message'))
  const message = isRecord(inner) ? inner : { content: inner, ...fields }
  return messageItems({ ...message, role }, name === 'gen_ai.choice' ? 'output' : 'input', isHandOff)
}

function messageItems(message: Value, side: Side, isHandOff: boolean): Item[] {
  const role = ownText(message, 'role') ?? (side === 'output' ? 'assistant' : '')
  const content = own(message, 'parts') ?? own(message, 'content')
  const parts = isList(content) ? content : content === undefined ? [] : [content]
  const calls = parseNested(own(message, 'tool_calls'))
  return [
    ...parts.flatMap((part) => partItems(part, role, isHandOff)),
    ...(isList(calls) ? calls.flatMap((call) => callItems(own(call, 'function') ?? call)) : []),
  ]
}

const calls = new Set(['tool_call', 'tool_use', 'tool-call', 'function_call'])
const results = new Set(['tool_call_response', 'tool_result', 'tool-result'])
/** Types of text parts. Reasoning is excluded, because it never leaves the model. */
const texts = new Set([undefined, 'text', 'input_text', 'output_text'])

function partItems(part: Value, role: string, isHandOff: boolean): Item[] {
  const type = ownText(part, 'type')
  if (type !== undefined && calls.has(type)) return callItems(part)
  if (type !== undefined && results.has(type)) {
    const result = firstOf(part, ['response', 'result', 'output', 'content'])
    return result === undefined ? [] : [toolResult(result)]
  }
  const text = typeof part === 'string' ? part : texts.has(type) ? firstOf(part, ['content', 'text']) : undefined
  return typeof text === 'string' ? textItems(role, text, isHandOff) : []
}

function callItems(call: Value): Item[] {
  const name = firstOf(call, ['name', 'toolName'])
  const values = firstOf(call, ['arguments', 'input', 'args'])
  return typeof name === 'string' ? [toolCall(name, argumentsOf(values))] : []
}

function textItems(role: string, text: string, isHandOff: boolean): Item[] {
  if (text === '') return []
  if (role === 'user' || role === 'human') return [textItem('user', text, isHandOff)]
  if (role === 'tool' || role === 'function') return [toolResult(text)]
  if (role === 'assistant' || role === 'model' || role === 'ai') return [textItem('agent', text, isHandOff)]
  return []
}

/** Returns the messages stored as attributes, one per field: `PREFIX.0.role`, `PREFIX.0.tool_calls.0.name`. */
function flatMessages(attributes: Attributes, prefix: string, at: 'message.' | ''): Value[] {
  return numbered(attributes, prefix).map((fields) =>
    defined({
      role: fields[`${at}role`],
      content:
        fields[`${at}content`] ??
        numbered(fields, `${at}contents`).map((part) =>
          defined({ type: part['message_content.type'], text: part['message_content.text'] }),
        ),
      tool_calls: numbered(fields, `${at}tool_calls`).map((call) =>
        defined({
          name: call['tool_call.function.name'] ?? call.name,
          arguments: call['tool_call.function.arguments'] ?? call.arguments,
        }),
      ),
    }),
  )
}

/** Groups attributes `PREFIX.N.NAME` into one record per N, ordered by N. */
function numbered(attributes: Attributes, prefix: string): Attributes[] {
  const records = new Map<number, [string, Value][]>()
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue
    const [index = '', ...rest] = name.slice(prefix.length + 1).split('.')
    if (!/^\d+$/.test(index)) continue
    const fields = records.get(Number(index)) ?? []
    fields.push([rest.join('.'), value])
    records.set(Number(index), fields)
  }
  return [...records].sort(([a], [b]) => a - b).map(([, fields]) => Object.fromEntries(fields))
}

/** Parses the arguments of a call. Undefined if the arguments were not recorded. */
export function argumentsOf(written: Value | undefined): ValueRecord | undefined {
  if (written === undefined) return undefined
  const value = parseNested(written)
  return isRecord(value) ? value : value === '' || value === null ? {} : { input: value }
}

function listAt(attributes: Attributes, name: string): readonly Value[] {
  const value = parseNested(own(attributes, name))
  return isList(value) ? value : isRecord(value) ? [value] : []
}

export function firstOf(record: Value, names: readonly string[]): Value | undefined {
  return names.map((name) => own(record, name)).find((value) => value !== undefined)
}

/** Parses a value that may be JSON in a string. */
export function parseNested(value: Value | undefined): Value {
  return typeof value === 'string' ? (parseJson(value) ?? value) : (value ?? null)
}
