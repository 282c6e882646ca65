/**
 * The messages of AG-UI ([OATF §7.3.3](https://oatf.io/specification/protocol-bindings/ag-ui/)): the input and flat
 * events.
 */
import type { Texts } from './binding.ts'
import {
  choice,
  constant,
  type Fields,
  fields,
  flag,
  list,
  type MessageShapes,
  number,
  open,
  type Shape,
  text,
  usualValues,
} from './shape.ts'

const metadata: Fields = { metadata: open }
const source = fields({ type: usualValues('url', 'data', 'file'), value: text }, { mimeType: text, provider: text })
const part = choice(
  fields({ type: constant('text'), text }, { id: text, ...metadata }),
  fields({ type: usualValues('image', 'audio', 'video', 'document'), source }, { id: text, ...metadata }),
  // The form before `source`, which is still in use.
  fields({ type: constant('binary'), mimeType: text }, { id: text, url: text, data: text, filename: text }),
)
const parts = choice(text, list(part))
const toolCall = fields(
  { id: text, type: usualValues('function'), function: fields({ name: text, arguments: text }) },
  { encryptedValue: text, ...metadata },
)
const messageFacts: Fields = { name: text, encryptedValue: text, subagentRunId: text, ...metadata }
const message = choice(
  fields({ id: text, role: usualValues('user', 'system', 'developer', 'reasoning'), content: parts }, messageFacts),
  fields({ id: text, role: constant('assistant') }, { ...messageFacts, content: text, toolCalls: list(toolCall) }),
  fields({ id: text, role: constant('tool'), content: parts, toolCallId: text }, { ...messageFacts, error: text }),
  fields({ id: text, role: constant('activity'), activityType: text, content: open }, messageFacts),
)
const tool = fields({ name: text, description: text }, { parameters: open, ...metadata })
const input = fields(
  { threadId: text, runId: text, messages: list(message) },
  {
    protocolVersion: text,
    parentRunId: text,
    state: open,
    tools: list(tool),
    context: list(fields({ description: text, value: text })),
    forwardedProps: open,
    resume: list(fields({ interruptId: text, status: text }, { payload: open, ...metadata })),
  },
)
const patch = list(fields({ op: text, path: text }, { value: open, from: text }))
const usage = list(
  fields(
    {},
    {
      provider: text,
      model: text,
      inputTokens: number,
      outputTokens: number,
      totalTokens: number,
      reasoningTokens: number,
      cachedInputTokens: number,
      cacheWriteInputTokens: number,
    },
  ),
)
const interrupt = fields(
  { id: text, reason: text },
  { message: text, toolCallId: text, responseSchema: open, expiresAt: text, subagentRunId: text, ...metadata },
)
const outcome = fields(
  { type: text },
  { pendingToolCallIds: list(text), interrupts: list(interrupt), interruptIds: list(text) },
)
const failure: Fields = { message: text }
const subagent: Fields = { subagentRunId: text }

interface EventOptions {
  readonly usual?: true
  readonly responseText?: string
}

function event(surface: string, required: Fields = {}, optional: Fields = {}, options: EventOptions = {}) {
  const always: Fields = { timestamp: number, rawEvent: open, subagentRunId: text, ...metadata }
  const type = constant(surface.toUpperCase())
  const response: Shape = fields({ type, ...required }, { ...always, ...optional })
  return { surface, by: 'client', response, ...options } as const
}

const messageId: Fields = { messageId: text }
const toolCallId: Fields = { toolCallId: text }
const delta: Fields = { delta: text }
/** The tool name, which the runtime adds if the protocol message lacks it (OATF §7.3.2). */
const toolCallName: Fields = { toolCallName: text }
/** The complete text of a message, in the message's end event. `_cut` is set if the end event is missing. */
const whole: Fields = { _text: text }
const cut: Fields = { _cut: flag }
const result = event(
  'tool_call_result',
  { ...messageId, ...toolCallId, content: parts },
  { role: text, ...toolCallName },
)

/** Descriptions of message fields, by name. Self-explanatory names are omitted. */
export const agUiFieldTexts: Texts = {
  content: 'The content of the message.',
  context: 'Context information from the client, for the model.',
  description: 'A description for the agent and its model.',
  forwardedProps: 'Additional properties that the client forwards to the agent.',
  id: 'The id.',
  messages: 'The earlier conversation, according to the client.',
  name: 'The name.',
  parameters: 'The JSON Schema of the arguments.',
  role: 'The claimed author: `user`, `assistant`, `system`, `developer` or `tool`.',
  runId: 'The id of the run.',
  state: 'The state shared by client and agent.',
  threadId: 'The id of the conversation.',
  toolCallId: 'The id of the tool call.',
  toolCalls: "The assistant's claimed tool calls.",
  tools: 'Tools that the client offers to the agent.',
  value: 'The content of the context item.',
}

export const agUiShapes: readonly MessageShapes[] = [
  event('text_message_content', { ...messageId, ...delta }, {}, { usual: true, responseText: 'delta' }),
  {
    surface: 'run_agent_input',
    by: 'client',
    request: input,
    usual: true,
    requestText: 'messages[*].content',
  },
  event(
    'run_started',
    { threadId: text, runId: text },
    { protocolVersion: text, parentRunId: text, input },
    { usual: true },
  ),
  event('run_finished', { threadId: text, runId: text }, { result: open, outcome, usage }, { usual: true }),
  event('run_error', failure, { code: text, usage }, { responseText: 'message' }),
  event('step_started', { stepName: text }),
  event('step_finished', { stepName: text }),
  event('text_message_start', messageId, { role: text, name: text }, { usual: true }),
  event('text_message_end', { ...messageId, ...whole }, cut, { usual: true, responseText: '_text' }),
  event('text_message_chunk', {}, { ...messageId, ...delta, role: text, name: text }, { responseText: 'delta' }),
  event('tool_call_start', { ...toolCallId, ...toolCallName }, { parentMessageId: text }),
  event('tool_call_args', { ...toolCallId, ...delta, ...toolCallName }, {}, { responseText: 'delta' }),
  event('tool_call_end', { ...toolCallId, ...toolCallName, _arguments: text }),
  event('tool_call_chunk', {}, { ...toolCallId, ...toolCallName, ...delta, parentMessageId: text }),
  // Normally sent by clients, but also by agents that run their own tools.
  { ...result, request: result.response, requestText: 'content', responseText: 'content' },
  event('state_snapshot', { snapshot: open }, {}, { responseText: 'snapshot' }),
  event('state_delta', { delta: patch }, {}, { responseText: 'delta[*].value' }),
  event('messages_snapshot', { messages: list(message) }, {}, { responseText: 'messages[*].content' }),
  event('activity_snapshot', { ...messageId, activityType: text, content: open }, { replace: flag }),
  event('activity_delta', { ...messageId, activityType: text, patch }),
  event('reasoning_start', messageId),
  event('reasoning_message_start', { ...messageId, role: text }),
  event('reasoning_message_content', { ...messageId, ...delta }, {}, { responseText: 'delta' }),
  event('reasoning_message_end', { ...messageId, ...whole }, cut),
  event('reasoning_message_chunk', {}, { ...messageId, ...delta }, { responseText: 'delta' }),
  event('reasoning_end', messageId),
  event('reasoning_encrypted_value', { subtype: text, entityId: text, encryptedValue: text }),
  event(
    'subagent_started',
    { ...subagent, name: text },
    { description: text, parentSubagentRunId: text, parentToolCallId: text, parentMessageId: text },
  ),
  event('subagent_finished', subagent, { result: open, outcome }),
  event('subagent_error', { ...subagent, ...failure }, { code: text }),
  event('thinking_start', {}, { title: text }),
  event('thinking_end'),
  event('thinking_text_message_start'),
  event('thinking_text_message_content', delta, {}, { responseText: 'delta' }),
  event('thinking_text_message_end', whole, cut),
  event('raw', { event: open }, { source: text }, { responseText: 'event' }),
  event('custom', { name: text, value: open }, {}, { responseText: 'value' }),
]
