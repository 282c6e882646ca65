/** A prompt as a simulated model sees it: passages by who wrote them, tools on offer, calls made so far. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { readDoubles } from '../../json-value.ts'
import { splitData, splitSystem } from '../marks.ts'
import type { ModelCall, ModelMessage, ModelToolOutput } from '../model.ts'
import { wordsOfName } from './word-forms.ts'

/** Who wrote a passage. `system` and `request` are the agent's author and its user; the others are somebody else. */
export type Writer = 'system' | 'request' | 'server' | 'tool' | 'parameter' | 'history' | 'data' | 'result'

/** A text with its writer. */
export interface Passage {
  readonly writer: Writer
  readonly text: string
  /** The tool it describes or comes from. */
  readonly tool?: string
  readonly parameter?: string
  /** How many calls stand behind it: a result of a result's order has two. */
  readonly depth: number
}

/** A tool on offer. */
export interface OfferedTool {
  readonly name: string
  readonly words: readonly string[]
  readonly description: string
  readonly schema: ValueRecord
}

/** A call of this conversation. */
export interface PastCall {
  readonly id: string
  readonly tool: string
  readonly input: Value
  readonly result?: string
  readonly failed: boolean
}

/** Everything a model has to go by. */
export interface View {
  readonly passages: readonly Passage[]
  readonly tools: readonly OfferedTool[]
  readonly calls: readonly PastCall[]
  readonly system: string
  /** The user's own last message. */
  readonly request: string
  readonly transcript: string
  readonly userTurns: number
  readonly choice: 'auto' | 'none' | 'required'
  /** The schema the answer must fit, when one is asked for. */
  readonly answerSchema?: ValueRecord
}

/** Reads a call. */
export function viewOf(call: ModelCall, depthOf: (callId: string) => number): View {
  const tools = offeredTools(call)
  const calls = pastCalls(call.prompt)
  const system = call.prompt[0]?.role === 'system' ? call.prompt[0].content : ''
  const last = call.prompt.findLastIndex((message) => message.role === 'user')
  const request = last < 0 ? '' : ownText(call.prompt[last])
  const format = call.responseFormat
  return {
    passages: [...toolPassages(tools), ...messagePassages(call.prompt, last, depthOf)],
    tools,
    calls,
    system: splitSystem(system).own,
    request,
    transcript: call.prompt
      .map((message) => (message.role === 'user' ? ownText(message) : ''))
      .filter(Boolean)
      .join('\n'),
    userTurns: call.prompt.filter((message) => message.role === 'user').length,
    choice: choiceOf(call),
    // A JSON Schema is an object of the tree.
    ...(format?.type === 'json' && isRecord(format.schema) ? { answerSchema: format.schema as ValueRecord } : {}),
  }
}

/** Text of any tool result: leaves of JSON as `key: value` lines. */
function resultText(output: ModelToolOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return unfold(output.value)
    case 'json':
    case 'error-json':
      // JSON values of the port are values.
      return flatten(output.value as Value)
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? unfold(part.text) : '')).join('\n')
    default:
      return output.reason ?? ''
  }
}

/** JSON inside a text, whole or in lines, as the lines of its leaves. */
function unfold(text: string): string {
  if (!/^\s*[[{]/m.test(text)) return text
  const value = readDoubles(text)
  if (value.ok) return typeof value.value === 'object' ? flatten(value.value) : text
  return text.includes('\n') ? text.split('\n').map(unfold).join('\n') : text
}

const DEEPEST = 32

function flatten(value: Value, key = '', depth = 0): string {
  const label = key === '' ? '' : `${key}: `
  if (typeof value === 'string') return key === 'text' ? unfold(value) : `${label}${value}`
  if (depth > DEEPEST) return ''
  if (isList(value)) return value.map((item) => flatten(item, '', depth + 1)).join('\n')
  if (!isRecord(value)) return `${label}${String(value)}`
  const lines = Object.entries(value).map(([name, child]) => flatten(child, name, depth + 1))
  return lines.join('\n')
}

function choiceOf(call: ModelCall): View['choice'] {
  if ((call.tools ?? []).length === 0 || call.toolChoice?.type === 'none') return 'none'
  return call.toolChoice === undefined || call.toolChoice.type === 'auto' ? 'auto' : 'required'
}

function offeredTools(call: ModelCall): OfferedTool[] {
  const forced = call.toolChoice?.type === 'tool' ? call.toolChoice.toolName : undefined
  return (call.tools ?? []).flatMap((tool) => {
    if (tool.type !== 'function' || (forced !== undefined && tool.name !== forced)) return []
    // A JSON Schema is an object of the tree.
    const schema = isRecord(tool.inputSchema) ? (tool.inputSchema as ValueRecord) : {}
    return [
      {
        name: tool.name,
        words: wordsOfName(tool.name.slice(tool.name.lastIndexOf('__') + 1)),
        description: tool.description ?? '',
        schema,
      },
    ]
  })
}

function toolPassages(tools: readonly OfferedTool[]): Passage[] {
  return tools.flatMap((tool): Passage[] => [
    { writer: 'tool', text: tool.description, tool: tool.name, depth: 0 },
    ...describedParameters(tool.schema, 0).map(([parameter, text]): Passage => {
      return { writer: 'parameter', text, tool: tool.name, parameter, depth: 0 }
    }),
  ])
}

/** Texts inside a schema with the property they stand at. */
function describedParameters(schema: ValueRecord, depth: number): [string, string][] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties) || depth > 4) return []
  return Object.entries(properties).flatMap(([name, child]): [string, string][] => {
    if (!isRecord(child)) return []
    const texts = ['title', 'description'].map((key) => own(child, key)).filter((text) => typeof text === 'string')
    const preset = own(child, 'default')
    // A name and its default can read as a sentence.
    const sentence = typeof preset === 'string' ? [`${wordsOfName(name).join(' ')} ${preset}`] : []
    return [[name, [...texts, ...sentence].join('\n\n')], ...describedParameters(child, depth + 1)]
  })
}

function messagePassages(prompt: readonly ModelMessage[], last: number, depthOf: (id: string) => number): Passage[] {
  return prompt.flatMap((message, index): Passage[] => {
    const passage = (writer: Writer, text: string): Passage => ({ writer, text, depth: 0 })
    if (message.role === 'system') {
      if (index > 0) return [passage('history', message.content)]
      const { own: instructions, servers } = splitSystem(message.content)
      return [passage('system', instructions), passage('server', servers)]
    }
    if (message.role === 'user') {
      const { own: words, data } = splitData(textParts(message))
      const said = unfold(words)
      return [
        ...data.map((text) => passage('data', unfold(text))),
        passage(index === last ? 'request' : 'history', said),
      ]
    }
    if (message.role === 'assistant') return [passage('history', textParts(message))]
    return message.content.flatMap((part): Passage[] => {
      if (part.type !== 'tool-result') return []
      return [
        { writer: 'result', text: resultText(part.output), tool: part.toolName, depth: depthOf(part.toolCallId) + 1 },
      ]
    })
  })
}

function pastCalls(prompt: readonly ModelMessage[]): PastCall[] {
  const results = new Map<string, { text: string; failed: boolean }>()
  for (const message of prompt) {
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      const failed = part.output.type.startsWith('error') || part.output.type === 'execution-denied'
      results.set(part.toolCallId, { text: resultText(part.output), failed })
    }
  }
  return prompt.flatMap((message) => {
    if (message.role !== 'assistant') return []
    return message.content.flatMap((part): PastCall[] => {
      if (part.type !== 'tool-call') return []
      const result = results.get(part.toolCallId)
      const call = {
        id: part.toolCallId,
        tool: part.toolName,
        // Arguments of a call are JSON.
        input: part.input as Value,
        failed: result?.failed ?? false,
      }
      return [result === undefined ? call : { ...call, result: result.text }]
    })
  })
}

function ownText(message: ModelMessage | undefined): string {
  // An input that is an object comes as JSON.
  return message === undefined ? '' : unfold(splitData(textParts(message)).own)
}

function textParts(message: ModelMessage): string {
  if (typeof message.content === 'string') return message.content
  return message.content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter(Boolean)
    .join('\n')
}
