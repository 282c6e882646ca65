/** Repairs responses of servers that deviate from OpenAI's formats, before libraries reject or misinterpret them. */
import { compactJson, isList, isRecord, own, readJson, type Value, type ValueRecord } from '@joust/source'
import { isComplete } from './finish-reason.ts'

/** Repairs each JSON document in a body. Events are forwarded line by line. */
export function repairBody(contentType: string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const isStream = contentType.includes('text/event-stream')
  const end: AnswerEnd = {}
  let buffer = ''
  return new TransformStream({
    transform(chunk, controller) {
      buffer += decoder.decode(chunk, { stream: true })
      const length = isStream ? buffer.lastIndexOf('\n') + 1 : 0
      if (length === 0) return
      controller.enqueue(encoder.encode(eventLines(buffer.slice(0, length), end)))
      buffer = buffer.slice(length)
    },
    flush(controller) {
      buffer += decoder.decode()
      if (buffer !== '') controller.enqueue(encoder.encode(isStream ? eventLines(buffer, end) : repair(buffer, end)))
    },
  })
}

/** The end of an answer that is being read. */
interface AnswerEnd {
  /** The finish reason; undefined while the answer may still be complete. */
  reason?: string
  isCut?: boolean
}

function eventLines(text: string, end: AnswerEnd): string {
  return text.replaceAll(/^(data: ?)(\{.*\})/gm, (_, name: string, json: string) => name + repair(json, end))
}

/** Matches documents that may need repair. Others are not parsed. */
const NEEDS_REPAIR =
  /"arguments"\s*:\s*(?:\{|null)|"function(?:_call)?"|"(?:incomplete|failed|cancelled)"|"(?:finish_reason|stop_reason|finishReason)"\s*:\s*"|"response\.completed"|"object"\s*:\s*"response"/

/** Repairs a document. Valid documents are returned unchanged. */
function repair(json: string, end: AnswerEnd): string {
  if (!NEEDS_REPAIR.test(json)) return json
  const read = readJson(json)
  // The library describes the problem with an invalid body.
  if (!read.ok || !isRecord(read.value)) return json
  const { value } = read
  const changed = withResponse(withFirstReason(withChoices(value), end), end)
  if (changed === value) return json
  const text = compactJson(changed, 'document')
  return text.ok ? text.value : json
}

/** Repairs chat completions and their stream events. */
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

/** Placeholder reasons that servers send in all events except the last. */
const placeholders: ReadonlySet<string> = new Set(['', 'null', 'not_finished', 'finish_reason_unspecified'])

/** Keeps the first reason for an incomplete answer, even if later events contradict it. */
function withFirstReason(body: ValueRecord, end: AnswerEnd): ValueRecord {
  const keep = (key: string) => (part: ValueRecord) => {
    const reason = own(part, key)
    if (typeof reason !== 'string') return part
    if (end.reason !== undefined) return end.reason === reason ? part : { ...part, [key]: end.reason }
    if (!placeholders.has(reason.toLowerCase()) && !isComplete(reason)) end.reason = reason
    return part
  }
  const chosen = withItems(body, 'choices', keep('finish_reason'))
  return withItems(withField(chosen, 'delta', keep('stop_reason')), 'candidates', keep('finishReason'))
}

/** Repairs responses of the Responses API and their stream events. */
function withResponse(body: ValueRecord, end: AnswerEnd): ValueRecord {
  const type = own(body, 'type')
  const called = type === 'response.function_call_arguments.done' ? withArguments(body, true) : body
  const item = own(called, 'item')
  if (type === 'response.output_item.done' && isRecord(item)) end.isCut ||= isCut(item)
  const event = withField(called, 'item', withCall)
  if (own(event, 'object') === 'response') return finalResponse(event, end)
  const isLast = type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed'
  return isLast ? withField(event, 'response', (response) => finalResponse(response, end)) : event
}

function finalResponse(response: ValueRecord, end: AnswerEnd): ValueRecord {
  const answered = withItems(response, 'output', withCall)
  const status = own(response, 'status')
  const details = own(response, 'incomplete_details')
  const output = own(response, 'output')
  const isBroken = typeof status === 'string' && status !== 'completed'
  const hasCut = end.isCut === true || (isList(output) && output.some((item) => isRecord(item) && isCut(item)))
  // Without a reason, the library treats the answer as complete.
  if (!(isBroken || hasCut) || (isRecord(details) && typeof own(details, 'reason') === 'string')) return answered
  return { ...answered, incomplete_details: { reason: isBroken ? status : 'incomplete' } }
}

function isCut(item: ValueRecord): boolean {
  return own(item, 'status') === 'incomplete'
}

function withCall(item: ValueRecord): ValueRecord {
  return own(item, 'type') === 'function_call' ? withArguments(item, true) : item
}

/** Converts call arguments to JSON text. Some servers send an object, or nothing if there are no arguments. */
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
