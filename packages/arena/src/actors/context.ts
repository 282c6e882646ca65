/** What all parts of one run share. Nothing of it outlives the run, and no two runs share any of it. */

import { type Clock, systemClock, unlimited } from '@joust/io'
import type { NormalDocument } from '@joust/oatf'
import { messageOf } from '@joust/source'
import { createReports, diagnostic, type Reports } from '../model/diagnostics.ts'
import { type RunLimits, withRunLimits } from '../model/limits.ts'
import type { AttackOptions, RunEvent } from '../model/options.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { createRecorder, type Recorder } from '../trace/recorder.ts'

/** One run. */
export interface RunContext {
  readonly document: NormalDocument
  readonly options: AttackOptions
  readonly limits: RunLimits
  readonly clock: Clock
  readonly newId: () => string
  readonly recorder: Recorder
  readonly reports: Reports
  readonly startedAt: number
  /** Fires when everything has to be released. */
  readonly stop: AbortController
  /** Fires when too much has been recorded. */
  readonly flooded: AbortController
  readonly tell: (event: RunEvent) => void
}

/** Begins a run of a document. */
export function createContext(document: NormalDocument, options: AttackOptions): RunContext {
  const tell = listener(options)
  const reports = createReports((found) => tell({ kind: 'diagnostic-reported', diagnostic: found }))
  const clock = options.clock ?? systemClock
  const limits = withRunLimits(options.limits)
  const flooded = new AbortController()
  const onFull = (what: string) => {
    reports.add(diagnostic('flooded', `the run was ended after ${what}; what came until then is judged`))
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
    tell({ kind: 'message-recorded', entry })
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

/** A listener that throws is the caller's fault; it must not change the outcome of the run. */
function listener({ onEvent }: AttackOptions): (event: RunEvent) => void {
  if (onEvent === undefined) return () => {}
  return (event) => {
    try {
      onEvent(event)
    } catch {
      // There is nobody to tell.
    }
  }
}
