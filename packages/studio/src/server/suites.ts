/** Suites that are running or have run since the server was started: at most one at a time. */
import type { Redacted, TraceEntry } from '@joust/arena'
import { err, messageOf, ok, type Result, writeJson } from '@joust/source'
import {
  type RunPlace,
  type RunRequest,
  runKey,
  type SuiteEnd,
  type SuiteEvent,
  type SuiteState,
} from '../model/api.ts'
import { limits } from '../model/limits.ts'
import type { EventHub } from './events.ts'

/** Runs a suite to its end and reports what happens. */
export type RunSuite = (
  request: RunRequest,
  tell: (event: SuiteEvent) => void,
  signal: AbortSignal,
) => Promise<SuiteEnd>

export interface Suites {
  start(request: RunRequest): Result<number, string>
  stop(id: number): boolean
  all(): SuiteState[]
  /** The messages of a run so far; undefined when they are no longer kept. */
  messages(id: number, place: RunPlace): readonly Redacted<TraceEntry>[] | undefined
  close(): Promise<void>
}

interface Suite {
  readonly state: Omit<SuiteState, 'end' | 'messages'> & {
    end?: SuiteEnd
    messages: number
    readonly events: SuiteEvent[]
  }
  readonly stop: AbortController
  readonly messages: Map<string, Redacted<TraceEntry>[]>
  length: number
  ended: Promise<void>
}

export function createSuites(run: RunSuite, hub: EventHub): Suites {
  const suites = new Map<number, Suite>()
  const isRunning = () => [...suites.values()].some(({ state }) => state.end === undefined)
  return {
    start(request) {
      if (isRunning()) return err('a suite is already running; stop it first')
      const id = suites.size + 1
      const state = { id, request, started_at: new Date().toISOString(), messages: 0, events: [] }
      const idle = { stop: new AbortController(), messages: new Map(), length: 0, ended: Promise.resolve() }
      const suite: Suite = { state, ...idle }
      // Only the last one can still be watched as it grows; the others are in the folder of results.
      for (const one of suites.values()) one.messages.clear()
      suites.set(id, suite)
      hub.tell({ type: 'suite-began', suite: id, request, started_at: state.started_at })
      suite.ended = perform(suite, run, hub)
      return ok(id)
    },
    stop(id) {
      const suite = suites.get(id)
      if (suite === undefined || suite.state.end !== undefined) return false
      suite.stop.abort()
      return true
    },
    all: () => [...suites.values()].map(({ state }) => ({ ...state })),
    messages: (id, place) => suites.get(id)?.messages.get(runKey(place)),
    async close() {
      for (const { stop } of suites.values()) stop.abort()
      await Promise.all([...suites.values()].map(({ ended }) => ended))
    },
  }
}

async function perform(suite: Suite, run: RunSuite, hub: EventHub): Promise<void> {
  const { id } = suite.state
  const tell = (event: SuiteEvent) => {
    keep(suite, event)
    hub.tell({ type: 'suite-event', suite: id, event })
  }
  const end = await run(suite.state.request, tell, suite.stop.signal).catch(
    (thrown: unknown): SuiteEnd => ({ state: 'failed', message: messageOf(thrown) }),
  )
  suite.state.end = end
  hub.tell({ type: 'suite-ended', suite: id, end })
}

function keep(suite: Suite, event: SuiteEvent): void {
  if (event.kind !== 'message') {
    // The phase of an actor matters only while it lasts.
    if (event.kind !== 'phase') suite.state.events.push(event)
    return
  }
  suite.state.messages += 1
  suite.length += writeJson(event.entry).length
  if (suite.length > limits.liveCharacters) {
    suite.messages.clear()
    return
  }
  const key = runKey(event)
  const known = suite.messages.get(key)
  // A run that is repeated starts over.
  if (known === undefined || event.entry.seq === 1) suite.messages.set(key, [event.entry])
  else known.push(event.entry)
}
