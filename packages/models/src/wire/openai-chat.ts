/** Wire format of OpenAI chat completions, which most other servers support too. */
import { defined, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { ModelAnswer, OfferedTool, PromptMessage, ToolChoice } from '../model/call.ts'
import { type AnswerDraft, noteFinish, noteUsage } from './draft.ts'
import { argumentsOf, contentText, message, numberIn, records, resultText, roleOf } from './fields.ts'
import { argumentPieces, piecesOf, type WireError, type WireFormat, type WriteOptions } from './wire.ts'

export const openaiChat: WireFormat = {
  readRequest(body) {
    return defined({
      model: ownText(body, 'model'),
      messages: records(body, 'messages').flatMap(messagesOf),
      tools: records(body, 'tools').flatMap(toolOf),
      choice: choiceOf(own(body, 'tool_choice')),
      answerSchema: own(own(own(body, 'response_format'), 'json_schema'), 'schema'),
      streamed: own(body, 'stream') === true,
    })
  },

  readPart(part, draft) {
    const choice = records(part, 'choices').find((one) => (own(one, 'index') ?? 0) === 0)
    const isWhole = isRecord(own(choice, 'message'))
    const delta = own(choice, isWhole ? 'message' : 'delta')
    draft.text += contentText(own(delta, 'content')) || (ownText(delta, 'refusal') ?? '')
    const legacy = own(delta, 'function_call')
    const calls = isRecord(legacy) ? [{ index: 0, function: legacy }] : records(delta, 'tool_calls')
    for (const [place, call] of calls.entries()) addCall(draft, call, isWhole ? place : undefined)
    noteFinish(draft, own(choice, 'finish_reason'))
    const usage = own(part, 'usage')
    noteUsage(draft, {
      input: numberIn(usage, 'prompt_tokens'),
      output: numberIn(usage, 'completion_tokens'),
      cached: numberIn(own(usage, 'prompt_tokens_details'), 'cached_tokens'),
    })
  },

  // The last event, `[DONE]`, is not JSON.
  isLast: () => false,

  writeWhole(answer, options) {
    const calls = answer.calls.map((call) => ({ id: call.id, type: 'function', function: functionOf(call) }))
    const content = answer.text === '' && calls.length > 0 ? null : answer.text
    const written = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
    const choices = [{ index: 0, message: written, finish_reason: wordOf(answer) }]
    return { ...headOf(options), object: 'chat.completion', choices, usage: usageOf(answer) }
  },

  writeEvents(answer, options) {
    const head = { ...headOf(options), object: 'chat.completion.chunk' }
    const chunk = (delta: object, finish_reason: string | null = null) => {
      return { ...head, choices: [{ index: 0, delta, finish_reason }] }
    }
    const calls = answer.calls.flatMap((call, index) => {
      const [, ...pieces] = argumentPieces(call.input)
      const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }
      const parts = pieces.map((piece) => ({ index, function: { arguments: piece } }))
      return [start, ...parts].map((part) => chunk({ tool_calls: [part] }))
    })
    return [
      chunk({ role: 'assistant', content: '' }),
      ...piecesOf(answer.text).map((content) => chunk({ content })),
      ...calls,
      chunk({}, wordOf(answer)),
      ...(options.usage ? [{ ...head, choices: [], usage: usageOf(answer) }] : []),
      '[DONE]',
    ]
  },

  writeError: openaiError,
}

/** Creates an OpenAI error body; the Responses API uses the same form. */
export function openaiError({ message, status, param, code }: WireError): object {
  const type = param !== undefined ? 'invalid_request_error' : status === 429 ? 'rate_limit_error' : 'api_error'
  return { error: { message, type, param: param ?? null, code: code ?? null } }
}

function messagesOf(record: ValueRecord): PromptMessage[] {
  const role = ownText(record, 'role')
  const content = own(record, 'content')
  if (role === 'tool' || role === 'function')
    return [
      {
        role: 'result',
        id: ownText(record, 'tool_call_id') ?? ownText(record, 'name') ?? '',
        text: resultText(content),
      },
    ]
  const calls = records(record, 'tool_calls').map((call): PromptMessage => {
    const named = own(call, 'function') ?? own(call, 'custom')
    const input = argumentsOf(own(named, 'arguments') ?? own(named, 'input'))
    return { role: 'call', id: ownText(call, 'id') ?? '', name: ownText(named, 'name') ?? '', input }
  })
  return [...message(roleOf(record), content), ...calls]
}

function toolOf(record: ValueRecord): OfferedTool[] {
  const custom = own(record, 'custom')
  const named = own(record, 'function') ?? custom
  const name = ownText(named, 'name')
  if (name === undefined) return []
  const schema = isRecord(custom) ? undefined : (own(named, 'parameters') ?? {})
  return [defined({ name, description: ownText(named, 'description') ?? '', schema })]
}

/** Reads the tool choice of a request. In the Responses API, the tool name is one level higher. */
export function choiceOf(choice: Value | undefined): ToolChoice {
  if (choice === 'none' || choice === 'required') return choice
  const name = ownText(own(choice, 'function'), 'name') ?? ownText(choice, 'name')
  return name === undefined ? 'auto' : { name }
}

/** Adds a call. If the index is missing, an id starts a new call; a delta without an id continues the last call. */
function addCall(draft: AnswerDraft, call: ValueRecord, place: number | undefined): void {
  const index = own(call, 'index') ?? place
  const started = draft.calls.size
  const next = ownText(call, 'id') === undefined ? Math.max(0, started - 1) : started
  const key = String(typeof index === 'number' ? index : next)
  const named = own(call, 'function') ?? own(call, 'custom')
  const entry = draft.calls.get(key) ?? { id: '', name: '', json: '' }
  draft.calls.set(key, entry)
  entry.id ||= ownText(call, 'id') ?? ''
  entry.name ||= ownText(named, 'name') ?? ''
  const piece = own(named, 'arguments') ?? own(named, 'input')
  if (isRecord(piece)) entry.input = piece
  else if (typeof piece === 'string') entry.json += piece
}

function wordOf({ finish, calls }: ModelAnswer): string {
  if (finish.kind === 'cut') return 'length'
  if (finish.kind === 'filtered') return 'content_filter'
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function functionOf({ name, input }: ModelAnswer['calls'][number]): object {
  return { name, arguments: argumentPieces(input)[0] }
}

function usageOf({ usage: { input = 0, output = 0, cached = 0 } = {} }: ModelAnswer): object {
  const prompt_tokens_details = { cached_tokens: cached }
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, prompt_tokens_details }
}

function headOf({ id, seconds, model }: WriteOptions): object {
  return { id: `chatcmpl-${id}`, created: seconds, model }
}
