/** Answers requests with an AI SDK model, in the wire format of the request. */
import type {
  LanguageModelV4CallOptions as CallOptions,
  LanguageModelV4GenerateResult as GenerateResult,
  LanguageModelV4 as LanguageModel,
  LanguageModelV4Message as Message,
  JSONSchema7 as ToolSchema,
} from '@ai-sdk/provider'
import { defined, isRecord, mapScalars, messageOf, own, parseJson, type Value } from '@joust/source'
import type { ReceivedRequest, Responder } from './http/respond.ts'
import type { ModelAnswer, ModelRequest, OfferedTool, PromptMessage, ToolChoice } from './model/call.ts'
import { diagnose } from './model/diagnostics.ts'
import { readTextRequest } from './text-tools.ts'
import { argumentsOf } from './wire/fields.ts'
import { openaiResponses } from './wire/openai-responses.ts'
import { sideAnswer } from './wire/side-answer.ts'
import { createStoredResponses, type StoredResponses, type UnknownReference } from './wire/stored-responses.ts'
import { formatOf } from './wire/table.ts'
import { type Reply, writeAnswer, writeError, writeJsonReply } from './wire/write-answer.ts'

/** Options for {@link simulated}. */
export interface SimulatedOptions {
  /**
   * Returns true for tools that the model may call. `offered` lists all tools in the request.
   *
   * @default none
   */
  readonly allowTool?: (tool: OfferedTool, offered: readonly OfferedTool[]) => boolean
  /** Allows all tools. Attack text can then control any tool of the agent, including a shell. @default false */
  readonly ownTools?: boolean
  /**
   * The model name in model lists. Calls may use any name.
   *
   * @default 'simulated'
   */
  readonly name?: string
  /** The clock, in milliseconds since 1970. @default `Date.now` */
  readonly now?: () => number
}

/**
 * Creates a responder from a model.
 *
 * @example
 * const answer = simulated(credulousModel(), { allowTool: ({ name }) => name === 'send_mail' })
 */
export function simulated(model: Pick<LanguageModel, 'doGenerate'>, options: SimulatedOptions = {}): Responder {
  const { allowTool = () => false, ownTools = false, name = 'simulated', now = Date.now } = options
  // Ids must be unique across runs, because an agent may outlive a run.
  const series = crypto.randomUUID().slice(-12)
  const stored = createStoredResponses()
  let count = 0
  return async (received) => {
    const format = formatOf(received.wire)
    if (format === undefined) return besideCalls(received, { id: name, seconds: Math.floor(now() / 1000) }, stored)
    const body = parseJson(received.body)
    if (!isRecord(body)) return refusal(received, 400, 'expected a JSON object as the request body')
    const resolved = received.wire === 'openai-responses' ? stored.resolve(body) : { body }
    if (resolved.unknown !== undefined) return unknownReference(received, resolved.unknown)
    const read = format.readRequest(resolved.body, received.path)
    const { request, write } = readTextRequest(read) ?? { request: read, write: (answer: ModelAnswer) => answer }
    const offered = request.tools.filter(({ schema }) => schema !== undefined)
    const tools = ownTools
      ? offered
      : offered.filter((tool) => allowTool(tool, offered) || endsRun(tool, request.choice))
    count += 1
    try {
      const result = await model.doGenerate({ ...callOf(request, tools), abortSignal: received.signal })
      if (result.finishReason.unified === 'error') throw new Error('its answer ended with an error')
      const usage = own(own(body, 'stream_options'), 'include_usage') === true
      const facts = {
        id: `joust${series}${count}`,
        seconds: Math.floor(now() / 1000),
        model: request.model ?? name,
        usage,
      }
      const { wire, path } = received
      const answer = write(answerOf(result, tools))
      if (wire === 'openai-responses') stored.add(body, openaiResponses.writeWhole(answer, facts))
      return writeAnswer({ wire, path, streamed: request.streamed }, answer, facts)
    } catch (thrown) {
      return failure(received, thrown)
    }
  }
}

/** True for the agent's own final-answer tool, if the model must answer with a call. */
function endsRun({ name }: OfferedTool, choice: ToolChoice): boolean {
  return choice === 'required' && /^final_?(?:answer|result)$/i.test(name)
}

function besideCalls(
  received: ReceivedRequest,
  listed: Parameters<typeof sideAnswer>[1],
  stored: StoredResponses,
): Reply {
  const [, id] = (received.method === 'GET' && /\/responses\/([^/?]+)(?:\?|$)/.exec(received.path)) || []
  const answer = id === undefined ? sideAnswer(received, listed) : stored.find(id)
  if (answer === undefined && id !== undefined)
    return writeError(
      received.wire,
      { status: 404, message: `Response with id '${id}' not found.`, param: 'response_id' },
      { headers: [] },
    )
  return answer === undefined
    ? refusal(received, 404, `the model does not support the path ${received.path}`)
    : writeJsonReply(answer)
}

/** Creates the error for an unknown reference, with OpenAI's wording. */
function unknownReference({ wire }: ReceivedRequest, { kind, id }: UnknownReference): Reply {
  const message = `${kind === 'response' ? 'Previous response' : kind === 'item' ? 'Item' : 'Conversation'} with id '${id}' not found.`
  const error =
    kind === 'response'
      ? { status: 400, message, param: 'previous_response_id', code: 'previous_response_not_found' }
      : { status: 404, message, param: kind === 'item' ? 'input' : 'conversation' }
  return writeError(wire, error, { headers: [] })
}

function callOf({ messages, choice, answerSchema }: ModelRequest, tools: readonly OfferedTool[]): CallOptions {
  const names = new Map(messages.flatMap((message) => (message.role === 'call' ? [[message.id, message.name]] : [])))
  const choices = { auto: { type: 'auto' }, none: { type: 'none' }, required: { type: 'required' } } as const
  const toolChoice = typeof choice === 'string' ? choices[choice] : ({ type: 'tool', toolName: choice.name } as const)
  return {
    prompt: messages.flatMap((message) => promptOf(message, names)),
    ...(tools.length > 0 && {
      toolChoice,
      tools: tools.map(({ name, description, schema }) => {
        return { type: 'function' as const, name, description, inputSchema: schemaOf(schema) }
      }),
    }),
    ...(isRecord(answerSchema) && { responseFormat: { type: 'json' as const, schema: schemaOf(answerSchema) } }),
  }
}

function promptOf(message: PromptMessage, names: ReadonlyMap<string, string>): Message[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.text }]
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.text }] }]
    case 'assistant':
      return [{ role: 'assistant', content: [{ type: 'text', text: message.text }] }]
    case 'reasoning':
      return []
    case 'call': {
      const { id: toolCallId, name: toolName, input } = message
      return [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] }]
    }
    case 'result': {
      const { id: toolCallId, text: value } = message
      const toolName = names.get(toolCallId) ?? toolCallId
      return [
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] },
      ]
    }
  }
}

const geminiTypes: ReadonlySet<unknown> = new Set(['OBJECT', 'ARRAY', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'NULL'])

/** Returns a schema with types in lower case: Gemini writes them in capitals. The rest of the schema is not checked. */
function schemaOf(schema: Value | undefined): ToolSchema {
  const lower = mapScalars(schema, (scalar) => (geminiTypes.has(scalar) ? String(scalar).toLowerCase() : scalar))
  return lower as ToolSchema
}

function answerOf({ content, finishReason, usage }: GenerateResult, tools: readonly OfferedTool[]): ModelAnswer {
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const calls = content.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const group = tools.find(({ name }) => name === part.toolName)?.group
    return [{ id: part.toolCallId, name: part.toolName, input: argumentsOf(part.input), ...defined({ group }) }]
  })
  const counts = defined({
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    cached: usage.inputTokens.cacheRead,
  })
  return { text, calls, finish: { kind: finishes[finishReason.unified] }, usage: counts }
}

/** `Finish` kinds by the model's finish reason. Models without finish reasons report `other`. */
const finishes = {
  stop: 'complete',
  'tool-calls': 'complete',
  other: 'complete',
  length: 'cut',
  interrupted: 'cut',
  'content-filter': 'filtered',
  error: 'error',
} as const satisfies Record<GenerateResult['finishReason']['unified'], ModelAnswer['finish']['kind']>

/** Converts an error thrown by a model into an error response with the same status and retry delay. */
function failure(received: ReceivedRequest, thrown: unknown): Reply {
  const status = own(thrown, 'statusCode')
  const wait = own(own(thrown, 'responseHeaders'), 'retry-after')
  const message = messageOf(thrown)
  if (typeof status === 'number' && status >= 400 && status < 600) {
    const headers = typeof wait === 'string' ? ([['retry-after', wait]] as const) : []
    return writeError(received.wire, { status, message }, { headers })
  }
  return refusal(received, 500, `the model failed: ${message}`)
}

function refusal({ wire }: ReceivedRequest, status: number, message: string): Reply {
  return writeError(wire, { status, message }, { headers: [], diagnostics: [diagnose('model-failed', message)] })
}
