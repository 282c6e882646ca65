/** How a protocol message becomes the input of an agent and its conversation; the format says nothing about it. */
import { contentToText, type RunAgentInput } from '@ag-ui/core'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { err, isRecord, ok, type Result, type Value } from '@joust/source'
import type { ConversationMessage } from '../model/conversation.ts'
import { toValue } from '../model/json-value.ts'
import type { RunOptions } from '../model/options.ts'
import { inputFromText, inputFromValue } from './text.ts'

/** What a request asks of `runtime.run`. */
export interface RunRequest {
  readonly input: Value
  readonly options: Pick<RunOptions, 'conversation' | 'clientTools' | 'context' | 'state'>
}

/** An AG-UI request: the last message of the user is the input, all messages are the conversation. */
export function readAgUiRequest(agent: Agent, request: RunAgentInput): Result<RunRequest, string> {
  const last = request.messages.findLast((message) => message.role === 'user')
  const text = last?.role === 'user' ? contentToText(last.content) : ''
  if (text === '') return err('expected a user message with text')
  const input = inputFromText(agent.document.interface.input, text)
  if (!input.ok) return input
  const state = toValue(request.state)
  const context = toValue(request.context)
  if (!state.ok || !context.ok) return err('state and context must be JSON')
  const clientTools = request.tools.map(({ name, description, parameters }) => {
    const schema = toValue(parameters)
    return { name, description, inputSchema: schema.ok && isRecord(schema.value) ? schema.value : { type: 'object' } }
  })
  const conversation = request.messages.flatMap(agUiMessage)
  return ok({
    input: input.value,
    options: isReact(agent) ? { conversation, clientTools, context: context.value, state: state.value } : {},
  })
}

/** A message of A2A, whatever the version: who says it, its text, its data. */
export interface PeerMessage {
  readonly role: 'user' | 'assistant'
  readonly texts: readonly string[]
  readonly data: readonly Value[]
}

/** An A2A request: its message is the input, and what was said before is the conversation. */
export function readPeerRequest(
  agent: Agent,
  message: PeerMessage,
  earlier: readonly PeerMessage[],
): Result<RunRequest, string> {
  const schema = agent.document.interface.input
  const [data, ...more] = message.data
  const text = peerText(message)
  if (text === '') return err('expected a message with a text or a data part')
  const structured = data !== undefined && more.length === 0 && message.texts.length === 0
  const input = structured ? structuredInput(schema, data, text) : inputFromText(schema, text)
  if (!input.ok) return input
  const conversation = [...earlier, message].flatMap((one): ConversationMessage[] => {
    const said = peerText(one)
    return said === '' ? [] : [{ role: one.role, text: said }]
  })
  return ok({ input: input.value, options: isReact(agent) ? { conversation } : {} })
}

/** Data stays as it is; an agent that takes text gets it as text. */
function structuredInput(schema: InterfaceSchema, data: Value, text: string): Result<Value, string> {
  const fits = inputFromValue(schema, data)
  if (fits.ok) return fits
  const asText = inputFromText(schema, text)
  return asText.ok ? asText : fits
}

/** All that a message says, as text. */
function peerText({ texts, data }: PeerMessage): string {
  return [...texts, ...data.map((value) => JSON.stringify(value))].filter((text) => text !== '').join('\n')
}

/** Other policies get the input only. */
function isReact(agent: Agent): boolean {
  return agent.document.execution_policy.id === 'agf.react'
}

/** Roles are kept. Reasoning and activities, which a model was never sent, are left out. */
function agUiMessage(message: RunAgentInput['messages'][number]): ConversationMessage[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', text: message.content }]
    case 'user':
      return [{ role: 'user', text: contentToText(message.content) }]
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => ({ id: call.id, ...call.function }))
      return [{ role: 'assistant', text: message.content ?? '', ...(calls.length === 0 ? {} : { calls }) }]
    }
    case 'tool': {
      const content = contentToText(message.content)
      const { toolCallId: call, error = '' } = message
      if (error === '') return [{ role: 'tool', call, content }]
      return [{ role: 'tool', call, content: content === '' ? error : content, isError: true }]
    }
    default:
      return []
  }
}
