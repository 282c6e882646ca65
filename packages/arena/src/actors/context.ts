/** The context of a run; never shared between runs. */

import { type Clock, systemClock, unlimited } from '@joust/io'
import type { NormalDocument } from '@joust/oatf'
import { createReports, diagnostic, type Reports, type TraceEntry } from '@joust/results'
import { messageOf } from '@joust/source'
import { type RunLimits, withRunLimits } from '../model/limits.ts'
import type { AttackOptions, RunEvent } from '../model/options.ts'
import { createRecorder, type Recorder } from '../trace/recorder.ts'

export interface RunContext {
  readonly document: NormalDocument
  readonly options: AttackOptions
  readonly limits: RunLimits
  readonly clock: Clock
  readonly newId: () => string
  readonly recorder: Recorder
  readonly reports: Reports
  readonly startedAt: number
  readonly stop: AbortController
  /** Fires when a trace limit is reached. */
  readonly flooded: AbortController
  readonly tell: (event: RunEvent) => void
}

export function createContext(document: NormalDocument, options: AttackOptions): RunContext {
  const tell = listener(options)
  const reports = createReports((report) => tell({ type: 'diagnostic-reported', diagnostic: report }))
  const clock = options.clock ?? systemClock
  const limits = withRunLimits(options.limits)
  const flooded = new AbortController()
  const onFull = (what: string) => {
    reports.add(diagnostic('flooded', `the run was stopped after ${what}; the trace up to that point is judged`))
    flooded.abort()
  }
  const stop = new AbortController()
  for (const signal of [stop.signal, options.signal]) if (signal !== undefined) unlimited(signal)
  const onEntry = (entry: TraceEntry) => {
    try {
      options.trace?.write(entry)
    } catch (thrown) {
      reports.add(diagnostic('trace-failed', `entry ${entry.seq} could not be written: ${messageOf(thrown)}`))
    }
    tell({ type: 'message-recorded', entry })
  }
  return {
    document,
    options,
    limits,
    clock,
    newId: options.newId ?? (() => crypto.randomUUID()),
    recorder: createRecorder(clock, limits, onEntry, onFull),
    reports,
    startedAt: clock.now(),
    stop,
    flooded,
    tell,
  }
}

function listener({ onEvent }: AttackOptions): (event: RunEvent) => void {
  if (onEvent === undefined) return () => {}
  return (event) => {
    try {
      onEvent(event)
    } catch {
      // There is no place to report an exception of the caller's listener.
    }
  }
}
