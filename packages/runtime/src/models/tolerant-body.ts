/** Bodies of servers that take liberties with OpenAI's formats, put right before the libraries refuse or misread them. */
import { compactJson, isList, isRecord, own, readJson, type Value, type ValueRecord } from '@joust/source'
import { isWhole } from './no-answer.ts'

/** Passes a body on, with each JSON document in it put right. Events are passed on one line at a time. */
export function tolerantBody(contentType: string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const isStream = contentType.includes('text/event-stream')
  const end: AnswerEnd = {}
  let kept = ''
  return new TransformStream({
    transform(chunk, controller) {
      kept += decoder.decode(chunk, { stream: true })
      const length = isStream ? kept.lastIndexOf('\n') + 1 : 0
      if (length === 0) return
      controller.enqueue(encoder.encode(eventLines(kept.slice(0, length), end)))
      kept = kept.slice(length)
    },
    flush(controller) {
      kept += decoder.decode()
      if (kept !== '') controller.enqueue(encoder.encode(isStream ? eventLines(kept, end) : tolerant(kept, end)))
    },
  })
}

/** Why the answer in a body ended, as far as it has been read. */
interface AnswerEnd {
  /** Absent as long as it may be whole. */
  reason?: string
  /** Whether an item of it was incomplete. */
  isCut?: boolean
}

function eventLines(text: string, end: AnswerEnd): string {
  return text.replaceAll(/^(data: ?)(\{.*\})/gm, (_, name: string, json: string) => name + tolerant(json, end))
}

/** Most texts need no care, and are not read. */
const NEEDS_CARE =
  /"arguments"\s*:\s*(?:\{|null)|"function(?:_call)?"|"(?:incomplete|failed|cancelled)"|"(?:finish_reason|stop_reason|finishReason)"\s*:\s*"|"response\.completed"|"object"\s*:\s*"response"/

/** A document with nothing to put right stays as it is, byte for byte. */
function tolerant(json: string, end: AnswerEnd): string {
  if (!NEEDS_CARE.test(json)) return json
  const read = readJson(json)
  // A body that the format cannot describe is left to the library, which says what is wrong with it.
  if (!read.ok || !isRecord(read.value)) return json
  const { value } = read
  const changed = withResponse(withFirstReason(withChoices(value), end), end)
  if (changed === value) return json
  const text = compactJson(changed, 'document')
  return text.ok ? text.value : json
}

/** Chat completions, whole or as an event. */
function withChoices(body: ValueRecord): ValueRecord {
  return withItems(body, 'choices', (choice) =>
    ['message', 'delta'].reduce(
      (changed, key) =>
        withField(changed, key, (message) =>
          withItems(message, 'tool_calls', (call) =>
            withField(call, 'function', (named) => withArguments(named, key === 'message')),
          ),
        ),
      choice,
    ),
  )
}

/** Reasons that servers send with each event before the last. */
const notYet: ReadonlySet<string> = new Set(['', 'null', 'not_finished', 'finish_reason_unspecified'])

/** A reason for an answer that is not whole stays, where a later event of the stream has another. */
function withFirstReason(body: ValueRecord, end: AnswerEnd): ValueRecord {
  const keep = (key: string) => (part: ValueRecord) => {
    const reason = own(part, key)
    if (typeof reason !== 'string') return part
    if (end.reason !== undefined) return end.reason === reason ? part : { ...part, [key]: end.reason }
    if (!notYet.has(reason.toLowerCase()) && !isWhole(reason)) end.reason = reason
    return part
  }
  const chosen = withItems(body, 'choices', keep('finish_reason'))
  return withItems(withField(chosen, 'delta', keep('stop_reason')), 'candidates', keep('finishReason'))
}

/** Responses: the body itself, or an event with an item or the whole in it. */
function withResponse(body: ValueRecord, end: AnswerEnd): ValueRecord {
  const type = own(body, 'type')
  const called = type === 'response.function_call_arguments.done' ? withArguments(body, true) : body
  const item = own(called, 'item')
  if (type === 'response.output_item.done' && isRecord(item)) end.isCut ||= isCut(item)
  const event = withField(called, 'item', withCall)
  if (own(event, 'object') === 'response') return wholeResponse(event, end)
  const isLast = type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed'
  return isLast ? withField(event, 'response', (response) => wholeResponse(response, end)) : event
}

function wholeResponse(response: ValueRecord, end: AnswerEnd): ValueRecord {
  const answered = withItems(response, 'output', withCall)
  const status = own(response, 'status')
  const details = own(response, 'incomplete_details')
  const output = own(response, 'output')
  const isBroken = typeof status === 'string' && status !== 'completed'
  const hasCut = end.isCut === true || (isList(output) && output.some((item) => isRecord(item) && isCut(item)))
  // Without a reason, the library takes it for a whole answer.
  if (!(isBroken || hasCut) || (isRecord(details) && typeof own(details, 'reason') === 'string')) return answered
  return { ...answered, incomplete_details: { reason: isBroken ? status : 'incomplete' } }
}

function isCut(item: ValueRecord): boolean {
  return own(item, 'status') === 'incomplete'
}

function withCall(item: ValueRecord): ValueRecord {
  return own(item, 'type') === 'function_call' ? withArguments(item, true) : item
}

/** Arguments are JSON as text; some servers send the object itself, or nothing where there are none. */
function withArguments(call: ValueRecord, required: boolean): ValueRecord {
  const args = own(call, 'arguments')
  if (isRecord(args)) {
    const text = compactJson(args, 'document')
    return text.ok ? { ...call, arguments: text.value } : call
  }
  return required && (args === undefined || args === null) ? { ...call, arguments: '' } : call
}

function withField(record: ValueRecord, key: string, change: (field: ValueRecord) => ValueRecord): ValueRecord {
  const field = own(record, key)
  if (!isRecord(field)) return record
  const changed = change(field)
  return changed === field ? record : { ...record, [key]: changed }
}

function withItems(record: ValueRecord, key: string, change: (item: ValueRecord) => ValueRecord): ValueRecord {
  const items = own(record, key)
  if (!isList(items)) return record
  const changed = items.map((item): Value => (isRecord(item) ? change(item) : item))
  return changed.every((item, index) => item === items[index]) ? record : { ...record, [key]: changed }
}
