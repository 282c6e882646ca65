/** Wire format of OpenAI Responses. */
import { defined, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { AnswerCall, ModelAnswer, OfferedTool, PromptMessage } from '../model/call.ts'
import { type AnswerDraft, noteFinish, noteUsage } from './draft.ts'
import { argumentsOf, message, numberIn, records, resultText, roleOf } from './fields.ts'
import { choiceOf, openaiError } from './openai-chat.ts'
import { argumentPieces, piecesOf, type WireFormat, type WriteOptions } from './wire.ts'

/** The separator between a group name and a tool name. */
const JOINT = '__'

export const openaiResponses = {
  readRequest(body) {
    const input = own(body, 'input')
    const items = typeof input === 'string' ? message('user', input) : records(body, 'input').flatMap(itemOf)
    return defined({
      model: ownText(body, 'model'),
      messages: [...message('system', own(body, 'instructions')), ...items],
      tools: records(body, 'tools').flatMap((tool) => toolsOf(tool)),
      choice: choiceOf(own(body, 'tool_choice')),
      answerSchema: own(own(own(body, 'text'), 'format'), 'schema'),
      streamed: own(body, 'stream') === true,
    })
  },

  readPart(part, draft) {
    const type = ownText(part, 'type') ?? ''
    if (own(part, 'object') === 'response') addWhole(draft, part)
    else if (FINAL.test(type)) addWhole(draft, own(part, 'response'))
    else if (type === 'response.created') draft.id = ownText(own(part, 'response'), 'id')
    else if (type === 'response.output_item.done') addItem(draft, own(part, 'item'), String(own(part, 'output_index')))
    else if (type === 'response.output_text.delta' || type === 'response.refusal.delta')
      draft.text += ownText(part, 'delta') ?? ''
  },

  isLast: (part) => FINAL.test(ownText(part, 'type') ?? ''),

  writeWhole: (answer, options) => wholeOf(answer, options),

  writeEvents(answer, options) {
    const whole = wholeOf(answer, options)
    const begun = { ...whole, status: 'in_progress', output: [], usage: null, incomplete_details: null }
    const events: object[] = [
      { type: 'response.created', response: begun },
      ...whole.output.flatMap(eventsOf),
      { type: `response.${whole.status}`, response: whole },
    ]
    return events.map((event, sequence_number) => ({ ...event, sequence_number }))
  },

  writeError: openaiError,
} satisfies WireFormat

/** Matches the type of the last event. */
const FINAL = /^response\.(?:completed|incomplete|failed)$/

function itemOf(item: ValueRecord): PromptMessage[] {
  const type = ownText(item, 'type') ?? 'message'
  const id = ownText(item, 'call_id') ?? ''
  if (type === 'function_call' || type === 'custom_tool_call')
    return [{ role: 'call', id, name: fullName(item), input: inputOf(item) }]
  if (type.endsWith('_call_output')) return [{ role: 'result', id, text: resultText(own(item, 'output')) }]
  if (type === 'reasoning') return message('reasoning', own(item, 'summary'))
  return message(roleOf(item), own(item, 'content'))
}

function inputOf(item: ValueRecord): Value {
  return argumentsOf(own(item, 'arguments') ?? own(item, 'input'))
}

function fullName(item: ValueRecord): string {
  const name = ownText(item, 'name') ?? ''
  const group = ownText(item, 'namespace')
  return group === undefined ? name : `${group}${JOINT}${name}`
}

/** Reads tools. Codex sends the tools of an MCP server as a group, described by the server instructions. */
function toolsOf(tool: ValueRecord, group?: string): OfferedTool[] {
  const name = ownText(tool, 'name')
  if (name === undefined) return []
  const description = ownText(tool, 'description') ?? ''
  if (own(tool, 'type') === 'namespace' && group === undefined)
    return [{ name, description }, ...records(tool, 'tools').flatMap((inner) => toolsOf(inner, name))]
  const schema = own(tool, 'type') === 'custom' ? undefined : (own(tool, 'parameters') ?? {})
  return [defined({ name: group === undefined ? name : `${group}${JOINT}${name}`, description, schema, group })]
}

/** Adds the final response, which should repeat all items, although some servers omit them. */
function addWhole(draft: AnswerDraft, response: Value | undefined): void {
  const items = records(response, 'output')
  draft.id = ownText(response, 'id') ?? draft.id
  if (items.length > 0) {
    draft.text = ''
    draft.calls.clear()
    draft.items.clear()
    for (const [index, item] of items.entries()) addItem(draft, item, String(index), true)
  }
  noteFinish(draft, own(own(response, 'incomplete_details'), 'reason'))
  noteFinish(draft, own(response, 'status'))
  const usage = own(response, 'usage')
  noteUsage(draft, {
    input: numberIn(usage, 'input_tokens'),
    output: numberIn(usage, 'output_tokens'),
    cached: numberIn(own(usage, 'input_tokens_details'), 'cached_tokens'),
  })
}

function addItem(draft: AnswerDraft, item: Value | undefined, key: string, isWhole = false): void {
  if (!isRecord(item)) return
  draft.items.set(key, item)
  if (own(item, 'status') === 'incomplete') noteFinish(draft, 'incomplete')
  const type = own(item, 'type')
  const text = type === 'message' ? textOf(item) : ''
  // Most streams have already sent the text in events.
  if (isWhole || !draft.text.endsWith(text)) draft.text += text
  if (type !== 'function_call' && type !== 'custom_tool_call') return
  const group = ownText(item, 'namespace')
  const call = { id: ownText(item, 'call_id') ?? '', name: fullName(item), json: '', input: inputOf(item) }
  draft.calls.set(key, { ...call, ...defined({ group }) })
}

type Item = { readonly id: string; readonly type: string; readonly [field: string]: Value }

function wholeOf(answer: ModelAnswer, { id, seconds, model }: WriteOptions) {
  const { kind } = answer.finish
  const status = kind === 'cut' || kind === 'filtered' ? 'incomplete' : 'completed'
  const reason = kind === 'cut' ? 'max_output_tokens' : 'content_filter'
  const content = [{ type: 'output_text', text: answer.text, annotations: [], logprobs: [] }]
  const text: Item = { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content }
  const output = [
    ...(answer.text === '' ? [] : [text]),
    ...answer.calls.map((call, at) => callItem(call, `fc_${id}_${at}`)),
  ]
  const { input = 0, output: written = 0, cached = 0 } = answer.usage ?? {}
  return {
    ...{ id: `resp_${id}`, object: 'response', created_at: seconds, model, status, output },
    ...{
      error: null,
      incomplete_details: status === 'incomplete' ? { reason } : null,
      instructions: null,
      metadata: {},
    },
    ...{ parallel_tool_calls: true, temperature: 1, tool_choice: 'auto', tools: [], top_p: 1 },
    usage: {
      ...{ input_tokens: input, output_tokens: written, total_tokens: input + written },
      ...{ input_tokens_details: { cached_tokens: cached }, output_tokens_details: { reasoning_tokens: 0 } },
    },
  }
}

function callItem({ id: call_id, name, group, input }: AnswerCall, id: string): Item {
  const own =
    group !== undefined && name.startsWith(`${group}${JOINT}`) ? name.slice(group.length + JOINT.length) : name
  const fields = { id, type: 'function_call', status: 'completed', call_id, name: own }
  return { ...fields, arguments: argumentPieces(input)[0], ...(own !== name && { namespace: group }) }
}

function eventsOf(item: Item, output_index: number): object[] {
  const begun = { ...item, status: 'in_progress', ...(item.type === 'message' ? { content: [] } : { arguments: '' }) }
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...(item.type === 'message' ? textEvents(item, output_index) : argumentEvents(item, output_index)),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function textEvents(item: Item, output_index: number): object[] {
  const text = textOf(item)
  const part = { type: 'output_text', text, annotations: [] }
  const place = { item_id: item.id, output_index, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...piecesOf(text).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
  ]
}

function argumentEvents({ id: item_id, name, arguments: json }: Item, output_index: number): object[] {
  const [whole, ...pieces] = argumentPieces(String(json))
  const type = 'response.function_call_arguments'
  return [
    ...pieces.map((delta) => ({ type: `${type}.delta`, item_id, output_index, delta })),
    { type: `${type}.done`, item_id, output_index, name, arguments: whole },
  ]
}

function textOf(item: unknown): string {
  return records(item, 'content')
    .map((part) => ownText(part, 'text') ?? ownText(part, 'refusal') ?? '')
    .join('')
}
