/** Adds derived entries to traces that contain only messages, as a live run would have recorded them. */

import type { TraceEntry } from '@joust/results'
import { isRecord, type ValueRecord } from '@joust/source'
import type { Enriched } from '../ag-ui/enrichment.ts'
import { createEventStream, type EventStream, type ReportedEvent } from '../ag-ui/stream.ts'
import { isClosing } from '../ag-ui/whole-texts.ts'

interface Followed {
  stream: EventStream
  /** True if the trace already contains derived entries. */
  complete: boolean
  /** Entries derived from the last entry, returned once the next entry shows that the trace lacks them. */
  pending: readonly TraceEntry[]
  last: TraceEntry | undefined
}

/** Creates a completion for one trace, which takes entries in order and returns them with derived entries. */
export function createCompletion() {
  const streams = new Map<string, Followed>()
  const followed = ({ actor, session = '' }: TraceEntry): Followed => {
    const key = JSON.stringify([actor, session])
    const existing = streams.get(key)
    if (existing !== undefined) return existing
    const created = { stream: createEventStream(null), complete: false, pending: [], last: undefined }
    streams.set(key, created)
    return created
  }
  return {
    take(entry: TraceEntry): readonly TraceEntry[] {
      const { content } = entry
      if (entry.mode !== 'ag_ui_client' || entry.malformed !== undefined || !isRecord(content)) return [entry]
      const here = followed(entry)
      if (entry.derived === true) {
        here.complete = true
        here.pending = []
        if (isClosing(entry.surface)) here.stream.hear(content)
        return [entry]
      }
      if (entry.flow === 'in') return hear(here, entry, content)
      if (entry.surface !== 'run_agent_input') return [entry]
      const before = finish(here)
      here.stream = createEventStream(content)
      here.last = undefined
      return [...before, entry]
    },
    end: (): readonly TraceEntry[] => [...streams.values()].flatMap(finish),
  }
}

function hear(here: Followed, entry: TraceEntry, event: ValueRecord): readonly TraceEntry[] {
  const events = here.stream.hear(event)
  const itself = events.findIndex(({ derived }) => !derived)
  const before = here.pending
  here.last = entry
  here.pending = here.complete ? [] : derivedFrom(entry, events.slice(itself + 1))
  if (here.complete) return [entry]
  return [
    ...before,
    ...derivedFrom(entry, events.slice(0, itself)),
    { ...entry, ...partsOf(events[itself] ?? { content: event }) },
  ]
}

function finish(here: Followed): readonly TraceEntry[] {
  const { pending, last, stream } = here
  here.pending = []
  return last === undefined ? pending : [...pending, ...derivedFrom(last, stream.end())]
}

/** Derived entries have the number of the entry that they are derived from. */
function derivedFrom(entry: TraceEntry, events: readonly ReportedEvent[]): readonly TraceEntry[] {
  return events.map((one) => ({ ...entry, surface: one.name, ...partsOf(one), derived: true }))
}

function partsOf({ content, args }: Enriched): Pick<TraceEntry, 'content' | 'arguments'> {
  return { content, ...(args === undefined ? {} : { arguments: args }) }
}
