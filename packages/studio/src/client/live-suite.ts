/** A suite as it grows: each run is updated by itself, so that a page of a thousand runs stays fast. */
import type { Outcome, TraceEntry, Trial } from '@joust/arena'
import { type Trace, traceOf } from '@joust/report/components'
import { type Signal, signal } from '@preact/signals'
import {
  type CellPlace,
  cellKey,
  type PlannedSuite,
  type RunPlace,
  type RunRequest,
  runKey,
  type SuiteEnd,
  type SuiteEvent,
} from '../model/api.ts'

/** One attack on one target. */
interface LiveCell {
  /** Trials that are running, by number. */
  readonly running: readonly number[]
  readonly trials: readonly Trial[]
}

/** What is known about a run while it is under way. */
interface LiveRun {
  readonly trace: Signal<Trace>
  /** The phase of each actor. */
  readonly phases: Signal<Readonly<Record<string, string>>>
}

export interface LiveSuite {
  readonly id: number
  readonly request: RunRequest
  readonly startedAt: string
  readonly planned: Signal<PlannedSuite | undefined>
  readonly log: Signal<readonly string[]>
  readonly end: Signal<SuiteEnd | undefined>
  readonly counts: Signal<LiveCounts>
  readonly cells: Map<string, Signal<LiveCell>>
  readonly runs: Map<string, LiveRun>
}

interface LiveCounts {
  readonly done: number
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>
  readonly calls: number
  readonly tokens: number
  readonly messages: number
}

export function createLiveSuite(id: number, request: RunRequest, startedAt: string): LiveSuite {
  return {
    id,
    request,
    startedAt,
    planned: signal(undefined),
    log: signal([]),
    end: signal(undefined),
    counts: signal({ done: 0, outcomes: {}, calls: 0, tokens: 0, messages: 0 }),
    cells: new Map(),
    runs: new Map(),
  }
}

/** The cell of an attack on a target. */
export function cellOf({ cells }: LiveSuite, place: CellPlace): Signal<LiveCell> {
  return entryOf(cells, cellKey(place), () => signal({ running: [], trials: [] }))
}

export function runOf({ runs }: LiveSuite, place: RunPlace): LiveRun {
  return entryOf(runs, runKey(place), () => ({ trace: signal(traceOf([])), phases: signal({}) }))
}

/** Takes in what happened; what is reported twice counts once. */
export function hear(suite: LiveSuite, event: SuiteEvent): void {
  if (event.kind === 'planned') suite.planned.value = event
  else if (event.kind === 'log') suite.log.value = [...suite.log.value, event.text]
  else if (event.kind === 'control') suite.log.value = [...suite.log.value, controlText(event)]
  else if (event.kind === 'started') {
    const cell = cellOf(suite, event)
    cell.value = { ...cell.value, running: [...without(cell.value.running, event.trial), event.trial] }
  } else if (event.kind === 'phase') {
    const { phases } = runOf(suite, event)
    phases.value = { ...phases.value, [event.actor]: event.phase }
  } else if (event.kind === 'message') {
    const { trace } = runOf(suite, event)
    // A run that is repeated starts over.
    trace.value = joinTraces(event.entry.seq === 1 ? traceOf([]) : trace.value, traceOf([event.entry]))
    suite.counts.value = { ...suite.counts.value, messages: suite.counts.value.messages + 1 }
  } else finish(suite, event, event.result)
}

/** A trace, and what came after it. */
export function joinTraces(before: Trace, after: Trace): Trace {
  return { messages: [...before.messages, ...after.messages], lines: [...before.lines, ...after.lines] }
}

/** Puts what happened before this page listened in front of what it has received. */
export function putBefore({ trace }: LiveRun, entries: readonly TraceEntry[]): void {
  const last = entries.at(-1)?.seq
  if (last === undefined) return
  const { messages, lines } = trace.value
  const known = messages.findIndex(({ seq }) => seq > last)
  const from = known < 0 ? messages.length : known
  trace.value = joinTraces(traceOf(entries), { messages: messages.slice(from), lines: lines.slice(from) })
}

function finish(suite: LiveSuite, place: RunPlace, result: Trial): void {
  const { trial } = place
  const cell = cellOf(suite, place)
  if (cell.value.trials.some((one) => one.trial === trial)) return
  cell.value = { running: without(cell.value.running, trial), trials: [...cell.value.trials, result] }
  const { done, outcomes, calls, tokens, messages } = suite.counts.value
  const { calls: made = 0, input_tokens: given = 0, output_tokens: got = 0 } = result.usage ?? {}
  suite.counts.value = {
    done: done + 1,
    outcomes: { ...outcomes, [result.outcome]: (outcomes[result.outcome] ?? 0) + 1 },
    calls: calls + made,
    tokens: tokens + given + got,
    messages,
  }
}

function controlText({ target, control }: SuiteEvent & { kind: 'control' }): string {
  if (control === 'started') return `${target}: asking for one harmless tool call first`
  return `${target}: control ${control.status}${control.reasons.length === 0 ? '' : `: ${control.reasons.join('; ')}`}`
}

function without(numbers: readonly number[], one: number): number[] {
  return numbers.filter((number) => number !== one)
}

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
