/** Bodies of servers that take liberties with OpenAI's formats, put right before the libraries refuse or misread them. */
import { compactJson, isList, isRecord, own, readJson, type Value, type ValueRecord } from '@joust/source'

/** Passes a body on, with each JSON document in it put right. Events are passed on one line at a time. */
export function tolerantBody(contentType: string): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const isStream = contentType.includes('text/event-stream')
  let kept = ''
  return new TransformStream({
    transform(chunk, controller) {
      kept += decoder.decode(chunk, { stream: true })
      const end = isStream ? kept.lastIndexOf('\n') + 1 : 0
      if (end === 0) return
      controller.enqueue(encoder.encode(eventLines(kept.slice(0, end))))
      kept = kept.slice(end)
    },
    flush(controller) {
      kept += decoder.decode()
      if (kept !== '') controller.enqueue(encoder.encode(isStream ? eventLines(kept) : tolerant(kept)))
    },
  })
}

function eventLines(text: string): string {
  return text.replaceAll(/^(data: ?)(\{.*\})/gm, (_, name: string, json: string) => name + tolerant(json))
}

/** Most texts need no care, and are not read. */
const NEEDS_CARE = /"arguments"\s*:\s*(?:\{|null)|"function(?:_call)?"|"(?:incomplete|failed|cancelled)"/

/** A document with nothing to put right stays as it is, byte for byte. */
function tolerant(json: string): string {
  if (!NEEDS_CARE.test(json)) return json
  const read = readJson(json)
  // A body that the format cannot describe is left to the library, which says what is wrong with it.
  if (!read.ok || !isRecord(read.value)) return json
  const { value } = read
  const changed = withResponse(withChoices(value))
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

/** Responses: the body itself, or an event with an item or the whole in it. */
function withResponse(body: ValueRecord): ValueRecord {
  const isArguments = own(body, 'type') === 'response.function_call_arguments.done'
  const called = isArguments ? withArguments(body, true) : body
  const event = withField(withField(called, 'item', withCall), 'response', wholeResponse)
  return own(event, 'object') === 'response' ? wholeResponse(event) : event
}

function wholeResponse(response: ValueRecord): ValueRecord {
  const answered = withItems(response, 'output', withCall)
  const status = own(response, 'status')
  const details = own(response, 'incomplete_details')
  const isBroken = status === 'incomplete' || status === 'failed' || status === 'cancelled'
  // Without a reason, the library takes it for a whole answer.
  if (!isBroken || (isRecord(details) && typeof own(details, 'reason') === 'string')) return answered
  return { ...answered, incomplete_details: { reason: status } }
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
