/** Converts protocol messages to the input and conversation of an agent. Agent Format does not define this. */
import { contentToText, type RunAgentInput } from '@ag-ui/core'
import type { Agent, InterfaceSchema } from '@joust/agentformat'
import { err, isRecord, ok, type Result, type Value } from '@joust/source'
import type { ConversationMessage } from '../model/conversation.ts'
import { toValue } from '../model/json-value.ts'
import type { RunOptions } from '../model/options.ts'
import { inputFromText, inputFromValue } from './text.ts'

export interface RunRequest {
  readonly input: Value
  readonly options: Pick<RunOptions, 'conversation' | 'clientTools' | 'context' | 'state'>
}

/** Reads an AG-UI request. The last user message is the input; all messages are the conversation. */
export function readAgUiRequest(agent: Agent, request: RunAgentInput): Result<RunRequest, string> {
  const last = request.messages.findLast((message) => message.role === 'user')
  const text = last?.role === 'user' ? contentToText(last.content) : ''
  if (text === '') return err('expected a user message with text')
  const input = inputFromText(agent.document.interface.input, text)
  if (!input.ok) return input
  const state = toValue(request.state)
  const context = toValue(request.context)
  if (!state.ok || !context.ok) return err('state and context must be valid JSON')
  const clientTools = request.tools.map(({ name, description, parameters }) => {
    const schema = toValue(parameters)
    return { name, description, inputSchema: schema.ok && isRecord(schema.value) ? schema.value : { type: 'object' } }
  })
  const conversation = request.messages.flatMap(agUiMessage)
  return ok({
    input: input.value,
    options: isReact(agent)
      ? { conversation, clientTools, context: context.value, state: state.value }
      : { conversation },
  })
}

/** An A2A message, independent of the protocol version. */
export interface PeerMessage {
  readonly role: 'user' | 'assistant'
  readonly texts: readonly string[]
  readonly data: readonly Value[]
}

/** Reads an A2A request. The new message is the input; earlier messages are the conversation. */
export function readPeerRequest(
  agent: Agent,
  message: PeerMessage,
  earlier: readonly PeerMessage[],
): Result<RunRequest, string> {
  const schema = agent.document.interface.input
  const [data, ...more] = message.data
  const text = peerText(message)
  if (text === '') return err('expected a message with a text or data part')
  const structured = data !== undefined && more.length === 0 && message.texts.length === 0
  const input = structured ? structuredInput(schema, data, text) : inputFromText(schema, text)
  if (!input.ok) return input
  const conversation = [...earlier, message].flatMap((one): ConversationMessage[] => {
    const content = peerText(one)
    return content === '' ? [] : [{ role: one.role, text: content }]
  })
  return ok({ input: input.value, options: { conversation } })
}

function structuredInput(schema: InterfaceSchema, data: Value, text: string): Result<Value, string> {
  const input = inputFromValue(schema, data)
  if (input.ok) return input
  const asText = inputFromText(schema, text)
  return asText.ok ? asText : input
}

function peerText({ texts, data }: PeerMessage): string {
  return [...texts, ...data.map((value) => JSON.stringify(value))].filter((text) => text !== '').join('\n')
}

/**
 * True for `agf.react`, the only policy that uses tools, context and state. Other policies pass the conversation to
 * their sub-agents.
 */
function isReact(agent: Agent): boolean {
  return agent.document.execution_policy.id === 'agf.react'
}

/** Converts a message. Reasoning and activities are omitted. */
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
