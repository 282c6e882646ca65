/** Manages the running or last suite of this process, which runs at most one suite at a time. */
import type { Redacted, TraceEntry, Trial } from '@joust/results'
import { defined, err, messageOf, ok, type Result, writeJson } from '@joust/source'
import {
  type CampaignRun,
  type RunPlace,
  type RunRequest,
  runKey,
  type SuiteEnd,
  type SuiteEvent,
  type SuiteState,
  type WatchedRun,
} from '../model/api.ts'
import { limits } from '../model/limits.ts'

/** Runs a suite to its end and reports its events with `tell`. */
export type RunSuite = (
  request: RunRequest,
  tell: (event: SuiteEvent) => void,
  signal: AbortSignal,
) => Promise<SuiteEnd>

export interface Suites {
  start(request: RunRequest): Result<number, string>
  stop(id: number): boolean
  last(): SuiteState | undefined
  /** Returns the version of the state, which changes with every event and is unique across server restarts. */
  version(): string
  /** Adds a debounced listener for changes. Returns a function that removes it. */
  onChange(listener: () => void): () => void
  watch(id: number, place: RunPlace, seen: Pick<WatchedRun, 'attempt' | 'part'>): WatchedRun | undefined
  close(): Promise<void>
}

type Changing<T> = { -readonly [key in keyof T]: T[key] }

interface Suite {
  readonly state: Changing<Omit<SuiteState, 'runs'>> & { readonly log: string[] }
  readonly runs: Map<string, LiveRun>
  readonly stop: AbortController
  readonly bound: number
  /** Number of message characters that are kept in memory. */
  length: number
  ended: Promise<void>
}

interface LiveRun {
  readonly place: RunPlace
  /** The number of the attempt, which is incremented when the run is retried. */
  attempt: number
  messages: number
  /** The most recent messages of the attempt. */
  entries: Redacted<TraceEntry>[]
  length: number
  phases: Readonly<Record<string, string>>
  trial?: Redacted<Trial>
}

export function createSuites(run: RunSuite, bound: number = limits.liveCharacters): Suites {
  const startTime = Date.now()
  let suite: Suite | undefined
  const listeners = new Set<() => void>()
  let changes = 0
  let isScheduled = false
  const change = () => {
    changes += 1
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      for (const listener of listeners) listener()
    }, limits.changeMs).unref()
  }
  const perform = async ({ state, stop }: Suite, tell: (event: SuiteEvent) => void) => {
    state.end = await run(state.request, tell, stop.signal).catch(
      (thrown: unknown): SuiteEnd => ({ state: 'failed', message: messageOf(thrown) }),
    )
    change()
  }
  return {
    start(request) {
      if (suite !== undefined && suite.state.end === undefined) return err('a suite is already running; stop it first')
      const id = (suite?.state.id ?? 0) + 1
      const state = { id, request, log: [], messages: 0, calls: 0, tokens: 0 }
      const stop = new AbortController()
      const next: Suite = { state, runs: new Map(), stop, bound, length: 0, ended: Promise.resolve() }
      suite = next
      change()
      next.ended = perform(next, (event) => {
        handle(next, event)
        change()
      })
      return ok(id)
    },
    stop(id) {
      if (suite?.state.id !== id || suite.state.end !== undefined) return false
      suite.stop.abort()
      return true
    },
    last: () => suite && { ...suite.state, runs: [...suite.runs.values()].map(runNow) },
    version: () => `${startTime} ${changes}`,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    watch: (id, place, seen) => (suite?.state.id === id ? watch(suite, place, seen) : undefined),
    async close() {
      suite?.stop.abort()
      await suite?.ended
    },
  }
}

function runNow({ place, messages, trial }: LiveRun): CampaignRun {
  return { ...place, messages, ...defined({ outcome: trial?.outcome, tier: trial?.tier }) }
}

function watch({ runs, state }: Suite, place: RunPlace, seen: Pick<WatchedRun, 'attempt' | 'part'>): WatchedRun {
  const { attempt, messages, entries, phases, trial } = runs.get(runKey(place)) ?? newRun(place)
  const isSameAttempt = seen.attempt === String(attempt)
  const dropped = messages - entries.length
  return {
    attempt: String(attempt),
    part: messages,
    entries: entries.slice(isSameAttempt ? Math.max(0, seen.part - dropped) : 0),
    isRunning: state.end === undefined,
    phases,
    ...defined({ trial }),
  }
}

function newRun({ target, file, arm, trial }: RunPlace): LiveRun {
  const place = { target, file, ...(arm && { arm }), trial }
  return { place, attempt: 1, messages: 0, entries: [], length: 0, phases: {} }
}

function handle(suite: Suite, event: SuiteEvent): void {
  const { state } = suite
  if (event.kind === 'planned') state.planned = event
  else if (event.kind === 'log') state.log.push(event.text)
  else if (event.kind === 'preflight') state.log.push(preflightText(event))
  else {
    const run = suite.runs.get(runKey(event)) ?? newRun(event)
    suite.runs.set(runKey(event), run)
    if (event.kind === 'phase') run.phases = { ...run.phases, [event.actor]: event.phase }
    else if (event.kind === 'message') grow(suite, run, event.entry)
    else if (event.kind === 'finished') finish(suite, run, event.result)
  }
}

function preflightText({ target, preflight }: SuiteEvent & { kind: 'preflight' }): string {
  if (preflight === 'started') return `${target}: running preflight`
  return `${target}: preflight ${preflight.status}${preflight.reasons.length === 0 ? '' : `: ${preflight.reasons.join('; ')}`}`
}

function grow(suite: Suite, run: LiveRun, entry: Redacted<TraceEntry>): void {
  if (entry.seq === 1 && run.messages > 0) {
    dropMessages(suite, run)
    run.attempt += 1
    run.messages = 0
  }
  const length = writeJson(entry).length
  run.entries.push(entry)
  run.messages += 1
  run.length += length
  suite.length += length
  suite.state.messages += 1
  // Drops messages of finished runs first, because they are on disk, and of older runs before newer ones.
  for (const isOver of [true, false])
    for (const one of suite.runs.values()) {
      if (suite.length <= suite.bound) return
      if ((one.trial !== undefined) === isOver) dropMessages(suite, one)
    }
}

function dropMessages(suite: Suite, run: LiveRun): void {
  suite.length -= run.length
  run.length = 0
  run.entries = []
}

function finish({ state }: Suite, run: LiveRun, trial: Redacted<Trial>): void {
  run.trial = trial
  const { calls = 0, input_tokens = 0, output_tokens = 0 } = trial.usage ?? {}
  state.calls += calls
  state.tokens += input_tokens + output_tokens
}
