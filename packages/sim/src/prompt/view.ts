/** A prompt as a simulated model reads it: passages by author, available tools and previous calls. */
import type { LanguageModelV4CallOptions as ModelCall, LanguageModelV4Message as ModelMessage } from '@ai-sdk/provider'
import { defined, fingerprint, isRecord, type Value, type ValueRecord } from '@joust/source'
import { messageText, resultText, unfold } from './plain-text.ts'
import { describedParameters, indexTools, type OfferedTool, offeredTools, type ToolIndex } from './tools.ts'

/** The delimiters of untrusted text in a prompt. */
export interface Marks {
  /** Splits a system prompt into the agent's text and text from servers. */
  splitSystem(text: string): { readonly own: string; readonly servers: string }
  /** Splits a message into the author's text and attached data. */
  splitData(text: string): { readonly own: string; readonly data: readonly string[] }
}

/** For hosts that use no delimiters. */
export const noMarks: Marks = {
  splitSystem: (text) => ({ own: text, servers: '' }),
  splitData: (text) => ({ own: text, data: [] }),
}

/** The author of a passage. `system` and `request` are the agent's developer and its user; all others are untrusted. */
type Writer = 'system' | 'request' | 'server' | 'tool' | 'parameter' | 'history' | 'data' | 'result'

export interface Passage {
  readonly writer: Writer
  readonly text: string
  /** The tool that the passage describes or that returned it. */
  readonly tool?: string
  readonly parameter?: string
  /** The number of calls that led to the passage: two for the result of a call that another result requested. */
  readonly depth: number
}

interface PastCall {
  readonly id: string
  readonly tool: string
  readonly input: Value
  readonly result?: string
  readonly failed: boolean
}

export interface View {
  readonly passages: readonly Passage[]
  readonly tools: readonly OfferedTool[]
  readonly named: ToolIndex
  /** Tool names and their first words, which may start an instruction like a known verb. */
  readonly verbs: ReadonlySet<string>
  readonly calls: readonly PastCall[]
  readonly system: string
  /** The last message from the user, without attached data. */
  readonly request: string
  readonly transcript: string
  readonly userTurns: number
  readonly choice: 'auto' | 'none' | 'required'
  /** The tool for the final answer, if every answer must be a call. No text can request a call to this tool. */
  readonly closing?: OfferedTool
  readonly answerSchema?: ValueRecord
}

export function viewOf(call: ModelCall, marks: Marks): View {
  const { prompt, responseFormat: format } = call
  const choice = choiceOf(call)
  const tools = offeredTools(call)
  const closing = choice === 'required' ? tools.find(isForAnswer) : undefined
  const last = prompt.findLastIndex(({ role }) => role === 'user')
  const userTexts = prompt.filter(({ role }) => role === 'user').map((message) => splitMessage(message, marks).own)
  const described = tools.flatMap(toolPassages)
  const passages = prompt
    .flatMap((message, index) => messagePassages(message, index, last, marks))
    .map((passage) => (passage.writer === 'system' ? withoutCopies(passage, described) : passage))
  return {
    passages: [...described, ...passages],
    tools,
    named: indexTools(tools),
    verbs: new Set(tools.flatMap(({ lower, words }) => [lower, ...words.slice(0, 1)])),
    calls: pastCalls(prompt),
    system: passages.find(({ writer }) => writer === 'system')?.text ?? '',
    request: userTexts.at(-1) ?? '',
    transcript: userTexts.filter(Boolean).join('\n'),
    userTurns: userTexts.length,
    choice,
    ...defined({ closing }),
    // The schema was parsed from JSON.
    ...(format?.type === 'json' && isRecord(format.schema) ? { answerSchema: format.schema as ValueRecord } : {}),
  }
}

/** True for tools named like `final_answer` or `finalResult`. */
function isForAnswer({ words: [first, second, ...more] }: OfferedTool): boolean {
  return first === 'final' && (second === 'answer' || second === 'result') && more.length === 0
}

function choiceOf({ tools = [], toolChoice }: ModelCall): View['choice'] {
  if (tools.length === 0 || toolChoice?.type === 'none') return 'none'
  return toolChoice === undefined || toolChoice.type === 'auto' ? 'auto' : 'required'
}

function toolPassages({ name: tool, description, schema }: OfferedTool): Passage[] {
  const parameters = describedParameters(schema).map(([parameter, text]): Passage => {
    return { writer: 'parameter', text, tool, parameter, depth: 0 }
  })
  return [{ writer: 'tool', text: description, tool, depth: 0 }, ...parameters]
}

const SHORTEST_COPY = 12

/** Removes tool descriptions that an agent copied into the system prompt, because servers wrote them. */
function withoutCopies(passage: Passage, described: readonly Passage[]): Passage {
  const copies = described.map(({ text }) => text.trim()).filter((text) => text.length >= SHORTEST_COPY)
  return { ...passage, text: copies.reduce((text, copy) => text.replaceAll(copy, ''), passage.text) }
}

function messagePassages(message: ModelMessage, index: number, last: number, marks: Marks): Passage[] {
  const passage = (writer: Writer, text: string): Passage => ({ writer, text, depth: 0 })
  switch (message.role) {
    case 'system': {
      if (index > 0) return [passage('history', message.content)]
      const { own, servers } = marks.splitSystem(message.content)
      return [passage('system', own), passage('server', servers)]
    }
    case 'user': {
      const { own, data } = splitMessage(message, marks)
      return [...data.map((text) => passage('data', text)), passage(index === last ? 'request' : 'history', own)]
    }
    case 'assistant':
      return [passage('history', messageText(message))]
    case 'tool':
      return message.content.flatMap((part): Passage[] => {
        if (part.type !== 'tool-result') return []
        const { toolCallId, toolName: tool, output } = part
        return [{ writer: 'result', text: resultText(output), tool, depth: depthOfCall(toolCallId) + 1 }]
      })
  }
}

/** Both parts are unfolded, since an object input is sent as JSON. */
function splitMessage(message: ModelMessage, marks: Marks): { own: string; data: string[] } {
  const { own, data } = marks.splitData(messageText(message))
  return { own: unfold(own), data: data.map(unfold) }
}

function pastCalls(prompt: readonly ModelMessage[]): PastCall[] {
  const results = new Map<string, Pick<PastCall, 'result' | 'failed'>>()
  for (const part of prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))) {
    if (part.type !== 'tool-result') continue
    const failed = part.output.type.startsWith('error') || part.output.type === 'execution-denied'
    results.set(part.toolCallId, { result: resultText(part.output), failed })
  }
  return prompt.flatMap((message) => {
    if (message.role !== 'assistant') return []
    return message.content.flatMap((part): PastCall[] => {
      if (part.type !== 'tool-call') return []
      const { toolCallId: id, toolName: tool } = part
      // Call arguments are JSON.
      return [{ id, tool, input: part.input as Value, failed: false, ...results.get(id) }]
    })
  })
}

const PREFIX = 'sim'

export function callId(depth: number, key: string): string {
  return `${PREFIX}-${depth}-${shortName(key)}`
}

/** Returns the number of preceding calls in the chain; 0 for a call by another model. */
function depthOfCall(id: string): number {
  return isOwnCall(id) ? Number(id.split('-')[1]) || 0 : 0
}

export function isOwnCall(id: string): boolean {
  return id.startsWith(`${PREFIX}-`)
}

/** Returns the beginning of the text's fingerprint. */
export function shortName(text: string): string {
  return fingerprint(text).slice(0, 8)
}
