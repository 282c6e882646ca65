/**
 * Converts production spans of an agent to protocol messages: tool calls to MCP, user messages and answers to AG-UI,
 * hand-offs to A2A. Supports the conventions of OpenTelemetry GenAI and OpenInference.
 */
import { extractProtocol, type NormalDocument, roleOf } from '@joust/oatf'
import { isList, isRecord, own, type Value, writeJson } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'
import { handOffsIn, type SpanKind } from './agents.ts'
import { argumentsOf, conversationItems, eventItems, firstOf, parseNested } from './conversation.ts'
import { type Item, type PlainMessage, textItem, toolCall, toolResult } from './items.ts'
import { type Attributes, type Span, sortedSpans } from './spans.ts'

/** A message that is not assigned to an actor. */
export interface SpanMessage extends PlainMessage {
  /** Id of the trace that contains the message. */
  readonly session: string
}

export interface SpanMessages {
  readonly messages: readonly SpanMessage[]
  /** Number of model calls without messages, plus the number of tool calls without arguments. */
  readonly notRecorded: number
}

/** Converts spans to messages. A message repeated in several spans, such as conversation history, appears once. */
export function messagesOf(unordered: readonly Span[]): SpanMessages {
  const spans = sortedSpans(unordered)
  const isHandOff = handOffsIn(spans, kindOf)
  const keys = new Set<string>()
  // Messages of a model call can also be in log records that refer to its span.
  const recorded = new Set<string>()
  const calls: Span[] = []
  const messages = spans.flatMap((span) => {
    const items = itemsOf(span, isHandOff(span))
    const isWhole = items.length > 0 && !items.some(({ isPartial }) => isPartial)
    if (isWhole) recorded.add(placeOf(span))
    else if (['tool', 'model'].includes(kindOf(span) ?? '')) calls.push(span)
    return items.flatMap(({ key, messages }) => {
      const unique = `${span.trace}\n${key}`
      if (keys.has(unique)) return []
      keys.add(unique)
      return messages(`span-${keys.size}`).map((message) => ({ ...message, session: span.trace }))
    })
  })
  return { messages, notRecorded: calls.filter((span) => !recorded.has(placeOf(span))).length }
}

/** Returns a key for the span of an item. For a log record, this is the span that wrote the record. */
const placeOf = ({ trace, id, parent = '' }: Span): string => `${trace}/${id ?? parent}`

const modelCalls = new Set(['chat', 'generate_content', 'text_completion'])

function kindOf({ attributes }: Span): SpanKind {
  const operation = attributes['gen_ai.operation.name']
  const kind = String(attributes['openinference.span.kind'] ?? attributes['traceloop.span.kind'] ?? '').toLowerCase()
  if (operation === 'execute_tool' || kind === 'tool' || attributes['mcp.method.name'] === 'tools/call') return 'tool'
  if (operation === 'invoke_agent' || kind === 'agent') return 'agent'
  const isModel = modelCalls.has(String(operation)) || kind === 'llm' || 'llm.request.type' in attributes
  return isModel ? 'model' : undefined
}

function itemsOf(span: Span, isHandOff: boolean): Item[] {
  const kind = kindOf(span)
  if (kind === 'tool') return toolItems(span)
  const items = [
    ...conversationItems(span.attributes, isHandOff),
    ...span.events.flatMap((event) => eventItems(event, isHandOff)),
  ]
  return items.length > 0 || kind === undefined ? items : plainItems(span.attributes, isHandOff)
}

function toolItems({ name: title, attributes }: Span): Item[] {
  const name = firstOf(attributes, ['gen_ai.tool.name', 'tool.name', 'traceloop.entity.name'])
  const titled = /(?:execute_tool|tools\/call) (.+)$/.exec(title)?.[1]
  const rawArguments = firstOf(attributes, [
    'gen_ai.tool.call.arguments',
    'input.value',
    'traceloop.entity.input',
    'tool.parameters',
  ])
  const result = firstOf(attributes, ['gen_ai.tool.call.result', 'output.value', 'traceloop.entity.output'])
  const called = typeof name === 'string' ? name : titled
  if (called === undefined) return []
  return [toolCall(called, argumentsOf(rawArguments)), ...(result === undefined ? [] : [toolResult(result)])]
}

/**
 * Returns the input and output of a span without messages. Structured values are skipped, because they may be the whole
 * state of a program.
 */
function plainItems(attributes: Attributes, isHandOff: boolean): Item[] {
  const input = own(attributes, 'input.value')
  const output = own(attributes, 'output.value')
  const isText = (value: Value | undefined) =>
    value !== undefined && !isRecord(parseNested(value)) && !isList(parseNested(value))
  const isInstruction = isHandOff && isRecord(parseNested(input)) && own(parseNested(input), 'messages') === undefined
  return [
    ...(isText(input) || isInstruction ? [textItem('user', textOf(input ?? ''), isHandOff)] : []),
    ...(isText(output) ? [textItem('agent', textOf(output ?? ''), isHandOff)] : []),
  ]
}

const textOf = (value: Value): string => (typeof value === 'string' ? value : writeJson(value))

/**
 * Returns the trace entries that the actors of a document would have recorded. Production has no actors, so each
 * message is assigned to every actor of its protocol and role: tool calls to servers, user messages and answers to
 * clients.
 */
export function productionEntries(messages: readonly SpanMessage[], { attack }: NormalDocument): TraceEntry[] {
  const actors = attack.execution.actors.map(({ name, mode, phases }) => {
    const place = { actor: name, mode, protocol: extractProtocol(mode), phase: phases[0]?.name ?? '' }
    return { role: roleOf(mode), place }
  })
  const entries = messages.flatMap((message) => {
    // A server receives requests from the agent, and a client its responses.
    const role = (message.direction === 'request') === (message.flow === 'in') ? 'server' : 'client'
    return actors
      .filter((actor) => actor.place.protocol === message.protocol && actor.role === role)
      .map(({ place }) => ({ ...place, ...message }))
  })
  return entries.map((entry, index) => ({ seq: index + 1, at: new Date(0).toISOString(), elapsed_ms: 0, ...entry }))
}
