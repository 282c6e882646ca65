/** Completes traces that hold only messages: what a run of ours derives from messages is derived again. */
import { isRecord, type ValueRecord } from '@joust/source'
import type { Enriched } from '../ag-ui/events.ts'
import { createEventStream, type EventStream, type Told } from '../ag-ui/stream.ts'
import { isClosing } from '../ag-ui/whole-texts.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

interface Followed {
  stream: EventStream
  /** Whether the trace already has what its messages stand for. */
  complete: boolean
  /** Derived from the last entry; used once the next entry shows that the trace does not have it. */
  pending: readonly TraceEntry[]
  last: TraceEntry | undefined
}

/** Takes entries in order and returns them with what they stand for. */
export function createCompletion() {
  const streams = new Map<string, Followed>()
  const followed = ({ actor, session = '' }: TraceEntry): Followed => {
    const key = JSON.stringify([actor, session])
    const known = streams.get(key)
    if (known !== undefined) return known
    const begun = { stream: createEventStream(null), complete: false, pending: [], last: undefined }
    streams.set(key, begun)
    return begun
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
    /** What is left at the end of the trace. */
    end: (): readonly TraceEntry[] => [...streams.values()].flatMap(finish),
  }
}

function hear(here: Followed, entry: TraceEntry, event: ValueRecord): readonly TraceEntry[] {
  const told = here.stream.hear(event)
  const itself = told.findIndex(({ derived }) => !derived)
  const before = here.pending
  here.last = entry
  here.pending = here.complete ? [] : derivedFrom(entry, told.slice(itself + 1))
  if (here.complete) return [entry]
  return [
    ...before,
    ...derivedFrom(entry, told.slice(0, itself)),
    { ...entry, ...partsOf(told[itself] ?? { content: event }) },
  ]
}

function finish(here: Followed): readonly TraceEntry[] {
  const { pending, last, stream } = here
  here.pending = []
  return last === undefined ? pending : [...pending, ...derivedFrom(last, stream.end())]
}

/** Entries under the number of the one that they were derived from, since the trace has no numbers for them. */
function derivedFrom(entry: TraceEntry, told: readonly Told[]): readonly TraceEntry[] {
  return told.map((one) => ({ ...entry, surface: one.name, ...partsOf(one), derived: true }))
}

function partsOf({ content, args }: Enriched): Pick<TraceEntry, 'content' | 'arguments'> {
  return { content, ...(args === undefined ? {} : { arguments: args }) }
}
