/** The first messages of a react agent: instructions, server instructions, history and request. */
import type { InterfaceSchema } from '@joust/agentformat'
import { compactJson, type Value } from '@joust/source'
import type { Conversation, ConversationMessage } from '../model/conversation.ts'
import type { ModelMessage } from '../model/language-model.ts'
import { dataBlock, serverSection } from '../models/prompt-sections.ts'
import { argumentsOf, toolResult } from './observations.ts'
import { isStructured } from './output.ts'

export interface PromptParts {
  readonly instructions: string
  readonly output: InterfaceSchema
  readonly servers: readonly { readonly alias: string; readonly text: string }[]
  readonly request: string
  /** True if the document has a template. The request then replaces the last user message. */
  readonly templated: boolean
  readonly conversation?: Conversation | undefined
}

export function firstPrompt(parts: PromptParts): ModelMessage[] {
  const { conversation } = parts
  const data = dataBlocks(conversation)
  const recalled = (conversation?.recalled ?? []).map((message) => toModelMessage(message, conversation))
  const messages = conversation?.messages ?? []
  const system: ModelMessage = { role: 'system', content: systemText(parts) }
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const history = messages.map((message, index) => {
    if (index !== last || message.role !== 'user') return toModelMessage(message, conversation)
    return user([...data, parts.templated ? parts.request : message.text])
  })
  return [system, ...recalled, ...history, ...(last < 0 ? [user([...data, parts.request])] : [])]
}

export function user(texts: readonly string[]): ModelMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) }
}

/** Builds the system text: the agent's own instructions, then server instructions under headings. */
function systemText({ instructions, output, servers }: PromptParts): string {
  const format = isStructured(output) ? [answerFormat(output)] : []
  return [instructions, ...format, ...servers.map(({ alias, text }) => serverSection(alias, text))].join('\n\n')
}

function answerFormat(schema: InterfaceSchema): string {
  const json = compactJson(schema, 'document')
  return `Your final answer is JSON and nothing else. It fits this JSON Schema:\n${json.ok ? json.value : '{}'}`
}

function dataBlocks(conversation: Conversation | undefined): string[] {
  const { context, state } = conversation ?? {}
  return [
    ...(context === undefined || isEmpty(context) ? [] : [dataBlock('context', context)]),
    ...(state === undefined || isEmpty(state) ? [] : [dataBlock('state', state)]),
  ]
}

function isEmpty(value: Value): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function toModelMessage(message: ConversationMessage, conversation: Conversation | undefined): ModelMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text }
    case 'user':
      return user([message.text])
    case 'assistant': {
      const text = message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]
      const calls = (message.calls ?? []).map(({ id, name, arguments: input }) => {
        return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: argumentsOf(input) }
      })
      return { role: 'assistant', content: [...text, ...calls] }
    }
    case 'tool': {
      const name = message.name ?? calledName(message.call, conversation) ?? 'unknown'
      const observation = { content: message.content, isError: message.isError === true }
      return { role: 'tool', content: [toolResult(message.call, name, observation)] }
    }
  }
}

function calledName(call: string, conversation: Conversation | undefined): string | undefined {
  for (const message of conversation?.messages ?? []) {
    const match = message.role === 'assistant' ? message.calls?.find(({ id }) => id === call) : undefined
    if (match !== undefined) return match.name
  }
  return undefined
}
