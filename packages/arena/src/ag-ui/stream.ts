/** Adds derived events to an event stream: chunks are expanded, and deltas are joined. */
import { own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { createEnrichment, type Enriched, eventName } from './enrichment.ts'
import { createWholeTexts, isClosing } from './whole-texts.ts'

export interface ReportedEvent extends Enriched {
  readonly name: string
  /** True for an event that was not received itself; see `TraceEntry`. */
  readonly derived: boolean
  /** True if triggers count the event. Of two end events, the one with the whole text counts. */
  readonly counts: boolean
}

export interface EventStream {
  /** Returns the event and its derived events, in order. */
  hear(event: ValueRecord): readonly ReportedEvent[]
  /** Returns the remaining derived events at the end of the stream. */
  end(): readonly ReportedEvent[]
}

/** Tracks an event stream; `input` is the input of the run. */
export function createEventStream(input: Value): EventStream {
  const enrich = createEnrichment()
  const chunks = createChunks()
  const texts = createWholeTexts(ownList(input, 'messages'))

  const report = (event: ValueRecord, how: Pick<ReportedEvent, 'derived' | 'counts'>): ReportedEvent => {
    const name = nameOf(event)
    return { name, ...enrich(name, event), ...how }
  }
  const broken = (events: readonly ValueRecord[]) =>
    events.map((event) => report(event, { derived: true, counts: false }))
  const whole = (name: string, event: ValueRecord) =>
    texts.after(name, event).map((text) => {
      const counts = isClosing(name) && isClosing(nameOf(text))
      return report(text, { derived: true, counts })
    })
  /** The end event is reported once, with the text. */
  const expand = (events: readonly ValueRecord[]) =>
    events.flatMap((event) => {
      const name = nameOf(event)
      const itself = isClosing(name) ? [] : [report(event, { derived: true, counts: true })]
      return [...broken(texts.before(name, event)), ...itself, ...whole(name, event)]
    })
  return {
    hear(event) {
      const name = nameOf(event)
      return [
        ...expand(chunks.before(name, event)),
        ...broken(texts.before(name, event)),
        report(event, { derived: false, counts: !isClosing(name) }),
        ...whole(name, event),
        ...expand(chunks.after(name, event)),
      ]
    },
    end: () => [...expand(chunks.end()), ...broken(texts.end())],
  }
}

function nameOf(event: ValueRecord): string {
  return eventName(ownText(event, 'type') ?? '')
}

interface Row {
  readonly id: string
  readonly start: string
  /** Fields that the start event copies from the first chunk, with defaults. */
  readonly takes: Readonly<Record<string, string | undefined>>
  readonly content: string
  readonly end: string
}

const row = (type: string, piece: string, id: string, takes: Row['takes']): Row => {
  return { id, start: `${type}_START`, takes, content: `${type}_${piece}`, end: `${type}_END` }
}
// biome-ignore format: a row is a line
const rows: ReadonlyMap<string, Row> = new Map([
  ['text_message_chunk', row('TEXT_MESSAGE', 'CONTENT', 'messageId', { role: 'assistant', name: undefined })],
  ['reasoning_message_chunk', row('REASONING_MESSAGE', 'CONTENT', 'messageId', { role: 'reasoning' })],
  ['tool_call_chunk', row('TOOL_CALL', 'ARGS', 'toolCallId', { toolCallName: undefined, parentMessageId: undefined })],
])

/** Events that may occur between two chunks of a message. */
const BESIDE = /^(raw$|activity_)/

function createChunks() {
  let open: { readonly row: Row; readonly id: string } | undefined
  const end = (): readonly ValueRecord[] => {
    if (open === undefined) return []
    const { row, id } = open
    open = undefined
    return [{ type: row.end, [row.id]: id }]
  }
  return {
    /** Ends the open message unless the next event continues it. */
    before(name: string, event: ValueRecord): readonly ValueRecord[] {
      const row = rows.get(name)
      if (row === undefined) return BESIDE.test(name) ? [] : end()
      // A chunk without an id continues the open message.
      const continues = open?.row === row && (ownText(event, row.id) ?? open.id) === open.id
      return continues ? [] : end()
    },
    after(name: string, event: ValueRecord): readonly ValueRecord[] {
      const row = rows.get(name)
      const id = row === undefined ? undefined : (ownText(event, row.id) ?? open?.id)
      if (row === undefined || id === undefined) return []
      const events: ValueRecord[] = []
      if (open === undefined) events.push(startOf(row, id, event))
      open = { row, id }
      const delta = ownText(event, 'delta')
      if (delta !== undefined) events.push({ type: row.content, [row.id]: id, delta })
      return events
    },
    end,
  }
}

function startOf({ start, id: key, takes }: Row, id: string, chunk: ValueRecord): ValueRecord {
  const fields = Object.entries(takes).flatMap(([name, otherwise]) => {
    const value = own(chunk, name) ?? otherwise
    return value === undefined ? [] : [[name, value] as const]
  })
  return { type: start, [key]: id, ...Object.fromEntries(fields) }
}
