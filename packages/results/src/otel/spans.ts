/**
 * Spans of OTLP JSON as plain data: attributes by name, in the order of their start. Exporters differ: ids are hex or
 * base64, numbers are numbers or strings; neither is needed here.
 */
import {
  err,
  isList,
  isRecord,
  ok,
  own,
  ownList,
  ownText,
  type Result,
  type Value,
  type ValueRecord,
} from '@joust/source'

export interface Span {
  readonly trace: string
  readonly name: string
  /** Start in nanoseconds, as written. */
  readonly start: string
  readonly attributes: Attributes
}

export type Attributes = { readonly [name: string]: Value }

/** The spans of a document with `resourceSpans`; a fault names the field. */
export function spansIn(document: Value): Result<Span[], string> {
  if (!isRecord(document) || !Object.hasOwn(document, 'resourceSpans'))
    return err('expected OTLP JSON with "resourceSpans"')
  if (!isList(own(document, 'resourceSpans'))) return err('expected "resourceSpans" to be a list')
  const spans = ownList(document, 'resourceSpans').flatMap((resource) =>
    [...ownList(resource, 'scopeSpans'), ...ownList(resource, 'instrumentationLibrarySpans')].flatMap((scope) =>
      ownList(scope, 'spans').flatMap((span) => (isRecord(span) ? [spanOf(span)] : [])),
    ),
  )
  return ok(spans.sort((a, b) => byStart(a.start, b.start)))
}

function spanOf(span: ValueRecord): Span {
  const start = own(span, 'startTimeUnixNano')
  return {
    trace: ownText(span, 'traceId') ?? '',
    name: ownText(span, 'name') ?? '',
    start: typeof start === 'string' || typeof start === 'number' || typeof start === 'bigint' ? String(start) : '0',
    attributes: attributesIn(ownList(span, 'attributes')),
  }
}

/** Nanoseconds exceed the range of a double; decimal strings of equal length compare as numbers. */
function byStart(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

function attributesIn(list: readonly Value[]): Attributes {
  const pairs = list.flatMap((item): [string, Value][] => {
    const key = ownText(item, 'key')
    const value = isRecord(item) ? own(item, 'value') : undefined
    return key === undefined || value === undefined ? [] : [[key, plainValue(value)]]
  })
  return Object.fromEntries(pairs)
}

/** The value of an `AnyValue`. */
function plainValue(value: Value): Value {
  if (!isRecord(value)) return value
  const list = own(value, 'arrayValue')
  if (list !== undefined) return ownList(list, 'values').map(plainValue)
  const map = own(value, 'kvlistValue')
  if (map !== undefined) return attributesIn(ownList(map, 'values')) as ValueRecord
  return Object.values(value)[0] ?? null
}
