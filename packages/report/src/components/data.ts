/** What a report is made of, as it is embedded in the page. */
import type { Results, TargetResults } from '@joust/arena'

/** The block with the id `report`. */
export interface ReportData {
  readonly runs: readonly ReportRun[]
  /** What has to be said about the suite as a whole, such as that it does not distinguish agents. */
  readonly notes: readonly string[]
  /** By run, attack and trial. */
  readonly traces: readonly (readonly (readonly TraceSummary[])[])[]
}

/** One target of a file of results; the matrix has a column for it. */
export interface ReportRun {
  readonly target: TargetResults
  /** What is said about the file as a whole. */
  readonly results: Omit<Results, 'targets'>
}

/** What is known about a trace. The block `trace-RUN-ATTACK-TRIAL` holds it. */
export interface TraceSummary {
  readonly messages: number
  /** Messages that are left out because the report would be too large. */
  readonly leftOut: number
  /** Messages that are cut to their beginning. */
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
