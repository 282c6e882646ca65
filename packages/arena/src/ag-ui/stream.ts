/** One event stream with derived events: chunks are expanded, and deltas are joined to whole texts. */
import { ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { createChunks } from './chunks.ts'
import { createEnrichment, type Enriched, eventName } from './enrichment.ts'
import { createWholeTexts, isClosing } from './whole-texts.ts'

/** An event of a stream, or a derived one. */
export interface ReportedEvent extends Enriched {
  readonly name: string
  /** See `TraceEntry`. */
  readonly derived: boolean
  /** True when triggers count it. Of two end events, the one with the whole text counts. */
  readonly counts: boolean
}

/** Follows one stream. */
export interface EventStream {
  /** Takes an event; returns it with derived events, in order. */
  hear(event: ValueRecord): readonly ReportedEvent[]
  /** The remaining derived events at the end of the stream. */
  end(): readonly ReportedEvent[]
}

/** Follows a stream; `input` is the input of its run. */
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
  /** The expansion of a chunk; its end is reported once, with the text. */
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
