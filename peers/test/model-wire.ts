/** Converts chat completions, responses and Gemini to one form of requests and answers. */
import type { ServerResponse } from 'node:http'

/** An offered tool. Codex puts a server's tools into a namespace. */
export interface OfferedTool {
  readonly name: string
  readonly namespace?: string
  readonly description: string
  readonly schema: object
}

/** Returns a name that is unique among the tools. */
export function fullName({ namespace, name }: Pick<OfferedTool, 'name' | 'namespace'>): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

/** An item in a conversation. */
export type Said =
  | { readonly kind: 'system' | 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: object }
  | { readonly kind: 'result'; readonly id: string; readonly text: string }

export interface ModelRequest {
  readonly said: readonly Said[]
  readonly tools: readonly OfferedTool[]
  /** True if a form must be filled in: Gemini asks which model should answer, and which side speaks next. */
  readonly isForm: boolean
}

/** The model's answer: a call or text. */
export interface Move {
  readonly call?: { readonly id: string; readonly tool: Pick<OfferedTool, 'name' | 'namespace'>; readonly args: object }
  readonly text?: string
}

// biome-ignore lint/suspicious/noExplicitAny: requests of three protocols, read where they are known
type Body = any

/** Parses a request of any protocol. */
export function readRequest(body: Body): ModelRequest {
  const said = [
    ...textOf(body.instructions, 'system'),
    ...textOf(body.systemInstruction?.parts, 'system'),
    // Codex puts a server's instructions there.
    ...(body.tools ?? []).flatMap(({ type, description }: Body) =>
      type === 'namespace' ? textOf(description, 'system') : [],
    ),
    ...(body.messages ?? []).flatMap(saidInMessage),
    ...(Array.isArray(body.input) ? body.input.flatMap(saidInItem) : textOf(body.input, 'user')),
    ...(body.contents ?? []).flatMap(saidInContent),
  ]
  const isForm = body.generationConfig?.responseMimeType === 'application/json'
  return { said, tools: toolsIn(body.tools ?? []), isForm }
}

function textOf(content: Body, kind: 'system' | 'user' | 'assistant'): Said[] {
  const text = typeof content === 'string' ? content : partsText(content)
  return text === '' ? [] : [{ kind, text }]
}

function partsText(parts: Body): string {
  return Array.isArray(parts) ? parts.flatMap((part: Body) => part.text ?? []).join('\n') : ''
}

const kinds = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
} as const

function kindOf(role: string) {
  return kinds[role as keyof typeof kinds] ?? 'user'
}

function saidInMessage({ role, content, tool_calls = [], tool_call_id }: Body): Said[] {
  if (role === 'tool') return [{ kind: 'result', id: tool_call_id, text: asText(content) }]
  const calls = tool_calls.map(({ id, function: { name, arguments: args } }: Body) => callOf(id, name, args))
  return [...textOf(content, kindOf(role)), ...calls]
}

function saidInItem({ type, role, content, call_id, name, namespace, arguments: args, output }: Body): Said[] {
  if (type === 'function_call') return [callOf(call_id, fullName({ name, namespace }), args)]
  if (type === 'function_call_output') return [{ kind: 'result', id: call_id, text: asText(output) }]
  return textOf(content, kindOf(role))
}

function saidInContent({ role, parts = [] }: Body): Said[] {
  return parts.flatMap((part: Body): Said[] => {
    if (part.functionCall !== undefined)
      return [{ kind: 'call', id: part.functionCall.id ?? part.functionCall.name, ...pick(part.functionCall) }]
    const { functionResponse } = part
    if (functionResponse === undefined) return textOf(part.text, kindOf(role))
    const { id, name, response } = functionResponse
    return [{ kind: 'result', id: id ?? name, text: asText(response?.output ?? response?.error ?? response) }]
  })
}

function pick({ name, args = {} }: Body): { readonly name: string; readonly args: object } {
  return { name, args }
}

function callOf(id: string, name: string, args: string): Said {
  return { kind: 'call', id, name, args: JSON.parse(args || '{}') }
}

function asText(content: Body): string {
  if (typeof content === 'string') return content
  return partsText(content) || JSON.stringify(content)
}

function toolsIn(list: readonly Body[], namespace?: string): OfferedTool[] {
  return list.flatMap((tool) => {
    if (tool.functionDeclarations !== undefined) return toolsIn(tool.functionDeclarations)
    if (tool.tools !== undefined) return toolsIn(tool.tools, tool.name)
    const { name, description = '', parameters, parametersJsonSchema } = tool.function ?? tool
    if (typeof name !== 'string') return []
    const schema = parameters ?? parametersJsonSchema ?? {}
    return [{ name, description, schema, ...(namespace !== undefined && { namespace }) }]
  })
}

/** Writes an answer in the protocol that the path implies. */
export function writeMove(path: string, body: Body, move: Move, isForm: boolean, response: ServerResponse): void {
  if (path.endsWith('/chat/completions')) chat(body, move, response)
  else if (path.endsWith('/responses')) responses(move, response)
  else if (/generateContent$/i.test(path)) gemini(path, isForm ? { text: FORM } : move, response)
  else send(response, path.endsWith('/models') ? { object: 'list', data: [], models: [] } : { totalTokens: 1 })
}

const FORM = JSON.stringify({ model_choice: 'flash', complexity_score: 1, reasoning: '', next_speaker: 'user' })

let count = 0

function chat({ stream, model = 'mock' }: Body, { call, text }: Move, response: ServerResponse): void {
  const fields = { id: `c${++count}`, created: 1, model }
  const calls = call && [
    {
      ...{ index: 0, id: call.id, type: 'function' },
      function: { name: call.tool.name, arguments: JSON.stringify(call.args) },
    },
  ]
  const message = { role: 'assistant', content: text ?? null, ...(calls && { tool_calls: calls }) }
  const finish_reason = call === undefined ? 'stop' : 'tool_calls'
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  if (stream !== true) {
    const choices = [{ index: 0, finish_reason, message }]
    send(response, { ...fields, object: 'chat.completion', choices, usage })
    return
  }
  const chunk = (delta: object, reason: string | null) => ({
    ...fields,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  streamed(response, [chunk(message, null), { ...chunk({}, finish_reason), usage }, '[DONE]'])
}

function responses({ call, text = '' }: Move, response: ServerResponse): void {
  const id = `i${++count}`
  const content = [{ type: 'output_text', text, annotations: [] }]
  const said = { type: 'message', id, role: 'assistant', status: 'completed', content }
  const called = call && {
    ...{ type: 'function_call', id, call_id: call.id, status: 'completed' },
    ...{ name: call.tool.name, arguments: JSON.stringify(call.args) },
    ...(call.tool.namespace !== undefined && { namespace: call.tool.namespace }),
  }
  const item = called ?? said
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details }
  const whole = { id: `r${count}`, object: 'response', status: 'completed', output: [item], usage }
  streamed(response, [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ])
}

function gemini(path: string, { call, text }: Move, response: ServerResponse): void {
  const part = call === undefined ? { text } : { functionCall: { id: call.id, name: call.tool.name, args: call.args } }
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
  const content = { role: 'model', parts: [part] }
  const whole = { candidates: [{ index: 0, finishReason: 'STOP', content }], usageMetadata }
  if (path.includes(':stream')) streamed(response, [whole])
  else send(response, whole)
}

function send(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

function streamed(response: ServerResponse, events: readonly (Body | string)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const name = typeof event === 'object' && 'type' in event ? `event: ${event.type}\n` : ''
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }
  response.end()
}
