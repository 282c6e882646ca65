/** The data of a report, as embedded in the page. */
import type { Results, TargetResults } from '@joust/results'

/** The block with the id `report`. */
export interface ReportData {
  readonly runs: readonly ReportRun[]
  /** Notes on the whole suite, for example that it does not distinguish agents. */
  readonly notes: readonly string[]
  /** By target, attack and run: the trials, then those without the bait. */
  readonly traces: readonly (readonly (readonly TraceSummary[])[])[]
}

/** One target of a results file; a column of the matrix. */
export interface ReportRun {
  readonly target: TargetResults
  /** The results without their targets. */
  readonly results: Omit<Results, 'targets'>
}

/** A summary of a trace. The trace itself is in the block `trace-RUN-ATTACK-TRIAL`. */
export interface TraceSummary {
  readonly messages: number
  /** Messages omitted because of the size limit. */
  readonly leftOut: number
  /** Truncated messages. */
  readonly shortened: number
  /** The error that ended the trace early. */
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
