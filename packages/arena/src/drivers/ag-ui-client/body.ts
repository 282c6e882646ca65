/** Reads a response body as events: server-sent events, JSON, or JSON lines. */

import { createLineSplitter } from '@joust/io'
import {
  compactJson,
  defaultLimits,
  isList,
  isRecord,
  type Limits,
  own,
  readJson,
  type Value,
  type ValueRecord,
} from '@joust/source'
import { eventName } from '../../ag-ui/enrichment.ts'
import type { HttpAnswer } from '../../model/http.ts'
import { ENDED_WITHIN } from '../../transport/event-blocks.ts'
import { readEventStream } from '../../transport/event-stream.ts'
import { readBody } from '../http-body.ts'

export interface EventText {
  readonly text: string
  /** The reason if the text is not an event. */
  readonly fault?: string
  /** The event name in the stream. */
  readonly named?: string
}

/** Rejects after the last text if the body is truncated. */
export function readTexts({ headers, body }: HttpAnswer, maxBytes: number): AsyncGenerator<EventText, void, undefined> {
  const type = headers['content-type'] ?? ''
  if (/\b(x-ndjson|ndjson|jsonl|json-?lines)\b/i.test(type)) return readLines(body, maxBytes)
  // Like the official client, fall back to an event stream.
  return /\bjson\b/i.test(type) ? readDocument(body, maxBytes) : readEvents(body, maxBytes)
}

async function* readEvents(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const limits = { ...defaultLimits, yamlBytes: maxBytes }
  for await (const { data, fault, event } of readEventStream(body, maxBytes)) {
    // Like the official client, accept a last event without its empty line, as long as it is complete.
    if (fault !== undefined && !(fault === ENDED_WITHIN && readJson(data, limits).ok)) yield { text: data, fault }
    // An `id` or `retry` without data is irrelevant here.
    else if (data !== '') yield { text: data, ...(event === undefined ? {} : { named: event }) }
  }
}

async function* readLines(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const splitter = createLineSplitter(maxBytes)
  let broken: { readonly error: unknown } | undefined
  try {
    for await (const chunk of body) yield* filled(splitter.push(chunk))
  } catch (error) {
    broken = { error }
  }
  yield* filled(splitter.end())
  if (broken !== undefined) throw broken.error
}

async function* readDocument(body: AsyncIterable<Uint8Array>, maxBytes: number) {
  const { text, fault, broken } = await readBody(body, maxBytes)
  if (fault === undefined) yield* splitDocument(text, { ...defaultLimits, yamlBytes: maxBytes })
  else if (text !== '') yield { text, fault }
  if (broken !== undefined) throw broken
}

/** Splits a JSON body: one event, a list of events, or undeclared JSON lines. */
function splitDocument(text: string, limits: Limits): readonly EventText[] {
  const json = readJson(text, limits)
  if (json.ok) return isList(json.value) ? json.value.map((item) => writeItem(item, text)) : [{ text }]
  const lines = filled(text.split(/\r?\n/).map((line) => ({ text: line })))
  const first = readJson(lines[0]?.text ?? '', limits)
  return first.ok && isRecord(first.value) ? lines : filled([{ text }])
}

function writeItem(item: Value, whole: string): EventText {
  const written = compactJson(item, 'document')
  return written.ok ? { text: written.value } : { text: whole, fault: written.error.message }
}

function filled(lines: readonly EventText[]): readonly EventText[] {
  return lines.filter(({ text, fault }) => fault !== undefined || text.trim() !== '')
}

type ReadEvent =
  | { readonly kind: 'event'; readonly name: string; readonly event: ValueRecord; readonly untyped?: true }
  | { readonly kind: 'malformed'; readonly text: string; readonly reason: string }

/** A shorter text cannot be nested too deeply. */
const SHORT = 2 * defaultLimits.compactJsonDepth

/** Unknown event types are accepted. */
export function readEvent({ text, fault, named }: EventText, maxBytes: number): ReadEvent {
  const malformed = (reason: string): ReadEvent => ({ kind: 'malformed', text, reason })
  if (fault !== undefined) return malformed(fault)
  const json = readJson(text, { ...defaultLimits, yamlBytes: maxBytes })
  if (!json.ok) return malformed(json.error[0]?.message ?? 'not JSON')
  if (!isRecord(json.value)) return malformed('not an AG-UI event: expected an object')
  // Some servers specify the type only as the event name in the stream; `message` is the default for any event.
  const untyped = own(json.value, 'type') === undefined && named !== undefined && named !== 'message'
  const event = untyped ? { type: named, ...json.value } : json.value
  const type = own(event, 'type')
  if (typeof type !== 'string' || type === '') return malformed('not an AG-UI event: missing type')
  if (text.length > SHORT && !compactJson(event, 'document').ok) return malformed('AG-UI event nested too deeply')
  return { kind: 'event', name: eventName(type), event, ...(untyped ? { untyped } : {}) }
}
