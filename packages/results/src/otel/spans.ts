/**
 * Parses spans and log records from OTLP JSON into plain data, with attributes by name. Exporters differ: ids are hex
 * or base64, integers are numbers or strings.
 */
import {
  err,
  isList,
  isRecord,
  ok,
  own,
  ownList,
  ownText,
  parseJson,
  type Result,
  type Value,
  type ValueRecord,
} from '@joust/source'

export interface Span {
  readonly trace: string
  /** Id of the span. Absent for a log record. */
  readonly id?: string
  /** Id of the parent span or, for a log record, of the span that wrote the record. */
  readonly parent?: string
  readonly name: string
  /** Start time in nanoseconds, as written. */
  readonly start: string
  readonly attributes: Attributes
  readonly events: readonly SpanEvent[]
}

/** A span event, or a log record with its body among the attributes. */
export interface SpanEvent {
  readonly name: string
  readonly attributes: Attributes
}

export type Attributes = { readonly [name: string]: Value }

/** Returns the spans and log records of an OTLP document, which may also contain metrics. */
export function spansIn(document: Value): Result<Span[], string> {
  const fields = ['resourceSpans', 'resourceLogs', 'resourceMetrics'].filter(
    (name) => own(document, name) !== undefined,
  )
  if (fields.length === 0) return err('expected OTLP JSON with "resourceSpans"')
  const fault = fields.find((name) => !isList(own(document, name)))
  if (fault !== undefined) return err(`expected "${fault}" to be a list`)
  const scopes = ownList(document, 'resourceSpans').flatMap((resource) => [
    ...ownList(resource, 'scopeSpans'),
    ...ownList(resource, 'instrumentationLibrarySpans'),
  ])
  const logs = ownList(document, 'resourceLogs').flatMap((resource) => ownList(resource, 'scopeLogs'))
  const spans = [
    ...scopes.flatMap((scope) => ownList(scope, 'spans').filter(isRecord).map(spanOf)),
    ...logs.flatMap((scope) => ownList(scope, 'logRecords').filter(isRecord).map(logOf)),
  ]
  return ok(spans)
}

function spanOf(span: ValueRecord): Span {
  const [id, parent] = [ownText(span, 'spanId'), ownText(span, 'parentSpanId')]
  const events = ownList(span, 'events').filter(isRecord)
  return {
    trace: ownText(span, 'traceId') ?? '',
    ...(id !== undefined && { id }),
    ...(parent !== undefined && parent !== '' && { parent }),
    name: ownText(span, 'name') ?? '',
    start: timeOf(span, 'startTimeUnixNano'),
    attributes: attributesIn(ownList(span, 'attributes')),
    events: events.map((event) => ({
      name: ownText(event, 'name') ?? '',
      attributes: attributesIn(ownList(event, 'attributes')),
    })),
  }
}

function logOf(record: ValueRecord): Span {
  const attributes = attributesIn(ownList(record, 'attributes'))
  const body = plainValue(own(record, 'body') ?? null)
  const fields = typeof body === 'string' ? parseJson(body) : body
  const name = ownText(record, 'eventName') ?? ownText(attributes, 'event.name') ?? ''
  const parent = ownText(record, 'spanId')
  const time = timeOf(record, 'timeUnixNano')
  const content = isRecord(fields) ? fields : typeof body === 'string' ? { content: body } : {}
  return {
    trace: ownText(record, 'traceId') ?? '',
    ...(parent !== undefined && parent !== '' && { parent }),
    name,
    start: time === '0' ? timeOf(record, 'observedTimeUnixNano') : time,
    attributes: {},
    events: [{ name, attributes: { ...attributes, ...content } }],
  }
}

function timeOf(record: ValueRecord, field: string): string {
  const time = own(record, field)
  return typeof time === 'string' || typeof time === 'number' || typeof time === 'bigint' ? String(time) : '0'
}

export function sortedSpans(spans: readonly Span[]): Span[] {
  return [...spans].sort((a, b) => byStart(a.start, b.start))
}

/**
 * Compares nanoseconds as strings, because they exceed the precision of a double. Without leading zeros, strings of
 * equal length compare like numbers.
 */
function byStart(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

function attributesIn(list: readonly Value[]): Attributes {
  const pairs = list.flatMap((item): [string, Value][] => {
    const key = ownText(item, 'key')
    const value = own(item, 'value')
    return key === undefined || value === undefined ? [] : [[key, plainValue(value)]]
  })
  return Object.fromEntries(pairs)
}

function plainValue(value: Value): Value {
  if (!isRecord(value)) return value
  const list = own(value, 'arrayValue')
  if (list !== undefined) return ownList(list, 'values').map(plainValue)
  const map = own(value, 'kvlistValue')
  if (map !== undefined) return attributesIn(ownList(map, 'values')) as ValueRecord
  const integer = own(value, 'intValue')
  if (typeof integer === 'string' && Number.isSafeInteger(Number(integer))) return Number(integer)
  return Object.values(value)[0] ?? null
}
