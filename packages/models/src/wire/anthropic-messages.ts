/** Wire format of Anthropic Messages. */
import { defined, isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { ModelAnswer, OfferedTool, PromptMessage, ToolChoice } from '../model/call.ts'
import { type AnswerDraft, noteFinish, noteUsage } from './draft.ts'
import { message, numberIn, records, resultText, roleOf } from './fields.ts'
import { argumentPieces, piecesOf, type WireFormat } from './wire.ts'

export const anthropicMessages: WireFormat = {
  readRequest(body) {
    return defined({
      model: ownText(body, 'model'),
      messages: [...message('system', own(body, 'system')), ...records(body, 'messages').flatMap(messagesOf)],
      tools: records(body, 'tools').flatMap(toolOf),
      choice: choiceOf(own(body, 'tool_choice')),
      answerSchema:
        own(own(own(body, 'output_config'), 'format'), 'schema') ?? own(own(body, 'output_format'), 'schema'),
      streamed: own(body, 'stream') === true,
    })
  },

  readPart(part, draft) {
    const key = String(own(part, 'index'))
    const delta = own(part, 'delta')
    switch (own(part, 'type')) {
      case 'message':
        for (const [index, block] of records(part, 'content').entries()) addBlock(draft, String(index), block)
        noteFinish(draft, own(part, 'stop_reason'))
        return addUsage(draft, own(part, 'usage'))
      case 'message_start':
        return addUsage(draft, own(own(part, 'message'), 'usage'))
      case 'content_block_start':
        return addBlock(draft, key, own(part, 'content_block'))
      case 'content_block_delta': {
        draft.text += ownText(delta, 'text') ?? ''
        const call = draft.calls.get(key)
        if (call !== undefined) call.json += ownText(delta, 'partial_json') ?? ''
        return
      }
      case 'message_delta':
        noteFinish(draft, own(delta, 'stop_reason'))
        return addUsage(draft, own(part, 'usage'))
    }
  },

  isLast: (part) => own(part, 'type') === 'message_stop',

  writeWhole(answer, { id, model }) {
    const content = blocksOf(answer).map(([block]) => block)
    const fields = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content }
    return { ...fields, stop_reason: wordOf(answer), stop_sequence: null, usage: usageOf(answer) }
  },

  writeEvents(answer, { id, model }) {
    const fields = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [] }
    const usage = { ...usageOf(answer), output_tokens: 1 }
    return [
      { type: 'message_start', message: { ...fields, stop_reason: null, stop_sequence: null, usage } },
      { type: 'ping' },
      ...blocksOf(answer).flatMap(([, content_block, deltas], index) => [
        { type: 'content_block_start', index, content_block },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      { type: 'message_delta', delta: { stop_reason: wordOf(answer), stop_sequence: null }, usage: usageOf(answer) },
      { type: 'message_stop' },
    ]
  },

  writeError({ message, status }) {
    const types: Readonly<Record<number, string>> = {
      400: 'invalid_request_error',
      401: 'authentication_error',
      404: 'not_found_error',
      429: 'rate_limit_error',
      529: 'overloaded_error',
    }
    return { type: 'error', error: { type: types[status] ?? 'api_error', message } }
  },
}

function messagesOf(record: ValueRecord): PromptMessage[] {
  const role = roleOf(record)
  const content = own(record, 'content')
  if (!isList(content)) return message(role, content)
  return content.flatMap((block): PromptMessage[] => {
    switch (own(block, 'type')) {
      case 'tool_use':
        return [{ role: 'call', ...nameOf(block), input: own(block, 'input') ?? {} }]
      case 'tool_result':
        return [{ role: 'result', id: ownText(block, 'tool_use_id') ?? '', text: resultText(own(block, 'content')) }]
      case 'thinking':
        return message('reasoning', own(block, 'thinking'))
      default:
        return message(role, own(block, 'text'))
    }
  })
}

function nameOf(block: Value | undefined): { readonly id: string; readonly name: string } {
  return { id: ownText(block, 'id') ?? '', name: ownText(block, 'name') ?? '' }
}

/** Reads a tool. Tools executed by the provider have a type but no schema. */
function toolOf(record: ValueRecord): OfferedTool[] {
  const name = ownText(record, 'name')
  if (name === undefined) return []
  return [defined({ name, description: ownText(record, 'description') ?? '', schema: own(record, 'input_schema') })]
}

function choiceOf(choice: Value | undefined): ToolChoice {
  const type = own(choice, 'type')
  const name = ownText(choice, 'name')
  if (type === 'tool' && name !== undefined) return { name }
  return type === 'any' ? 'required' : type === 'none' ? 'none' : 'auto'
}

function addBlock(draft: AnswerDraft, key: string, block: Value | undefined): void {
  if (own(block, 'type') === 'text') draft.text += ownText(block, 'text') ?? ''
  if (own(block, 'type') !== 'tool_use') return
  const input = own(block, 'input')
  const call = { ...nameOf(block), json: '' }
  // A stream begins with an empty input; the real one follows in pieces.
  draft.calls.set(key, isRecord(input) && Object.keys(input).length > 0 ? { ...call, input } : call)
}

/** Adds token counts. Cache reads and writes are reported separately from `input_tokens`. */
function addUsage(draft: AnswerDraft, usage: Value | undefined): void {
  const fresh = numberIn(usage, 'input_tokens')
  const cached = numberIn(usage, 'cache_read_input_tokens')
  const input =
    fresh === undefined ? undefined : fresh + (cached ?? 0) + (numberIn(usage, 'cache_creation_input_tokens') ?? 0)
  noteUsage(draft, { input, output: numberIn(usage, 'output_tokens'), cached })
}

/** Returns the content blocks of an answer, each as a whole, as a stream start and as deltas. */
function blocksOf({ text, calls }: ModelAnswer): [whole: object, start: object, deltas: object[]][] {
  const deltas = piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece }))
  const written: [object, object, object[]] = [{ type: 'text', text }, { type: 'text', text: '' }, deltas]
  const uses = calls.map(({ id, name, input }): [object, object, object[]] => {
    const use = { type: 'tool_use', id, name, input }
    const [, ...pieces] = argumentPieces(input)
    return [use, { ...use, input: {} }, pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))]
  })
  return [...(text === '' ? [] : [written]), ...uses]
}

function wordOf({ finish, calls }: ModelAnswer): string {
  if (finish.kind === 'cut') return 'max_tokens'
  if (finish.kind === 'filtered') return 'refusal'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function usageOf({ usage: { input = 0, output = 0, cached = 0 } = {} }: ModelAnswer) {
  return { input_tokens: input - cached, cache_read_input_tokens: cached, output_tokens: output }
}
