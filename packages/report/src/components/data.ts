/** What a report is made of, as it is embedded in the page. */
import type { Results, TargetResults } from '@joust/arena'

/** The block with the id `report`. */
export interface ReportData {
  readonly runs: readonly ReportRun[]
  /** What is to be said about the suite as a whole, such as that it tells nothing apart. */
  readonly notes: readonly string[]
  /** By run, attack and trial. */
  readonly traces: readonly (readonly (readonly TraceSummary[])[])[]
}

/** One target of a file of results; the matrix has a column for it. */
export interface ReportRun {
  readonly target: TargetResults
  /** What is said of the file as a whole. */
  readonly results: Omit<Results, 'targets'>
}

/** What became of a trace. The block `trace-RUN-ATTACK-TRIAL` holds it. */
export interface TraceSummary {
  readonly messages: number
  /** Messages that are not in the report, since it would be too large. */
  readonly leftOut: number
  /** Messages of which only the beginning is in the report. */
  readonly shortened: number
  /** Why the trace could not be read to its end. */
  readonly fault?: string
}

/** The id of the block of a trace. */
export function traceBlockId(run: number, attack: number, trial: number): string {
  return `trace-${run}-${attack}-${trial}`
}

/** A trial of an attack of a run, and a message of its trace. */
export interface AttackPlace {
  readonly run: number
  readonly attack: number
  readonly trial: number
  readonly seq?: number | undefined
}
