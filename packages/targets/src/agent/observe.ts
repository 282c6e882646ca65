/** Observes an agent's model calls in this process, without a socket. */
import type { ModelObservation, ObservedCall } from '@joust/arena'
import type { FinishedModelCall } from '@joust/runtime'
import { isRecord, own, ownText, parseJson, type Value, writeJson } from '@joust/source'
import { targetLimits } from '../limits.ts'

/** An observation, with a function that adds calls to it. */
export interface AgentObservation extends ModelObservation {
  take(call: FinishedModelCall): void
}

export function observeAgent(): AgentObservation {
  const calls: ObservedCall[] = []
  let missed = 0
  return {
    take(call) {
      if (calls.length < targetLimits.observedCalls) calls.push(observedCall(call))
      else missed += 1
    },
    calls: () => calls.toSorted((a, b) => a.started - b.started),
    missed: () => missed,
  }
}

function observedCall({ model, call, started, duration, answer }: FinishedModelCall): ObservedCall {
  const messages = call.prompt.flatMap(messagesOf)
  const tools = (call.tools ?? []).map((tool) => {
    // JSON Schemas are JSON values.
    return tool.type === 'function'
      ? { name: tool.name, description: tool.description ?? '', schema: tool.inputSchema as unknown as Value }
      : { name: tool.name, description: '' }
  })
  // Both fields are JSON values.
  const body = { messages, tools } as unknown as Value
  const common = { wire: 'in-process', model, messages, tools, body, started, duration } as const
  if ('error' in answer)
    return {
      ...common,
      answer: noAnswer,
      finish: { kind: answer.filtered ? 'filtered' : 'error' },
      error: answer.error,
    }
  const { text, finish, inputTokens: input, outputTokens: output } = answer
  const calls = answer.calls.map(({ id, name, arguments: args }) => ({ id, name, input: parseJson(args) ?? args }))
  return { ...common, answer: { text, calls }, finish: finishOf(finish), usage: { input, output } }
}

const noAnswer = { text: '', calls: [] } as const

const kinds: Readonly<Record<string, ObservedCall['finish']['kind']>> = {
  stop: 'complete',
  'tool-calls': 'complete',
  length: 'cut',
  'content-filter': 'filtered',
  error: 'error',
}

function finishOf(word: string): ObservedCall['finish'] {
  return { kind: (Object.hasOwn(kinds, word) ? kinds[word] : undefined) ?? 'unknown', word }
}

type Prompt = FinishedModelCall['call']['prompt'][number]
type Messages = ObservedCall['messages']

function messagesOf(message: Prompt): Messages {
  if (message.role === 'system') return [{ role: 'system', text: message.content }]
  const { role } = message
  return message.content.flatMap((part): Messages => {
    switch (part.type) {
      case 'text':
        return [{ role: role === 'user' ? 'user' : 'assistant', text: part.text }]
      case 'reasoning':
        return [{ role: 'reasoning', text: part.text }]
      case 'tool-call':
        // The input is typed as unknown, but is parsed JSON.
        return [{ role: 'call', id: part.toolCallId, name: part.toolName, input: part.input as Value }]
      case 'tool-result':
        return [{ role: 'result', id: part.toolCallId, text: resultText(part.output as unknown as Value) }]
      default:
        return []
    }
  })
}

/** Returns the text of a tool result. Content parts are joined. */
function resultText(output: Value): string {
  const value = own(output, 'value')
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return isRecord(output) ? writeJson(value ?? output) : ''
  return value.map((part: Value) => ownText(part, 'text') ?? writeJson(part)).join('\n')
}
