/** One stream of events with what they stand for: chunks as the events they abbreviate, deltas as whole texts. */
import { ownList, ownText, type Value, type ValueRecord } from '@joust/source'
import { createChunks } from './chunks.ts'
import { createEnrichment, type Enriched, eventName } from './events.ts'
import { createWholeTexts, isClosing } from './whole-texts.ts'

/** Something to report of a stream, in its order. */
export interface Told extends Enriched {
  readonly name: string
  /** See `TraceEntry`. */
  readonly derived: boolean
  /** Whether triggers count it. When two events report one end, the one with the whole text counts. */
  readonly counts: boolean
}

/** Follows one stream. */
export interface EventStream {
  /** Takes in an event; returns it with what is derived from it, each where it belongs. */
  hear(event: ValueRecord): readonly Told[]
  /** What remains to be reported when no more events come. */
  end(): readonly Told[]
}

/** Follows a stream from its beginning; the run began with this input. */
export function createEventStream(input: Value): EventStream {
  const enrich = createEnrichment()
  const chunks = createChunks()
  const texts = createWholeTexts(ownList(input, 'messages'))

  const told = (event: ValueRecord, how: Pick<Told, 'derived' | 'counts'>): Told => {
    const name = nameOf(event)
    return { name, ...enrich(name, event), ...how }
  }
  const broken = (events: readonly ValueRecord[]) =>
    events.map((event) => told(event, { derived: true, counts: false }))
  const whole = (name: string, event: ValueRecord) =>
    texts.after(name, event).map((one) => {
      const counts = isClosing(name) && isClosing(nameOf(one))
      return told(one, { derived: true, counts })
    })
  /** What a chunk stands for; its end is reported once, with the text. */
  const expand = (events: readonly ValueRecord[]) =>
    events.flatMap((event) => {
      const name = nameOf(event)
      const itself = isClosing(name) ? [] : [told(event, { derived: true, counts: true })]
      return [...broken(texts.before(name, event)), ...itself, ...whole(name, event)]
    })
  return {
    hear(event) {
      const name = nameOf(event)
      return [
        ...expand(chunks.before(name, event)),
        ...broken(texts.before(name, event)),
        told(event, { derived: false, counts: !isClosing(name) }),
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
