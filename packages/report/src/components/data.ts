/** The data of a report, as embedded in the page. */
import type { AttackResults, Results, TargetResults } from '@joust/results'
import type { Trace } from './trace.ts'

/** The content of the block `report`, which is compressed like all blocks. */
export interface ReportData {
  /** The targets; details of attacks with runs are beside their traces. */
  readonly runs: readonly ReportRun[]
  /** Notes on the whole suite, for example that it does not distinguish agents. */
  readonly notes: readonly string[]
  /** Summaries by target, attack and run: the trials, then runs without the bait. */
  readonly traces: readonly (readonly (readonly TraceSummary[])[])[]
}

/** One target of a results file; a column of the matrix. */
export interface ReportRun {
  readonly target: TargetResults
  /** The results without their targets. */
  readonly results: Omit<Results, 'targets'>
}

/** A summary of a trace. */
export interface TraceSummary {
  /** The index of the block with the trace, and of the trace in that block. */
  readonly block: number
  readonly part: number
  readonly messages: number
  /** Messages omitted because of the size limit. */
  readonly leftOut: number
  /** Truncated messages. */
  readonly shortened: number
  /** The error that ended the trace early. */
  readonly fault?: string
}

/** The id of a block of traces. */
export function traceBlockId(block: number): string {
  return `traces-${block}`
}

/** Separates the traces of a block, whose lines are never empty. */
export const TRACE_SEPARATOR = '\n\n'

/** The first line of a trace; the other lines are the contents of its messages. */
export interface TraceHead extends Omit<Trace, 'lines'> {
  /** The whole attack with its document, in the first trace of an attack. */
  readonly attack?: AttackResults
}

/** Identifies a trial by target and attack, and optionally a message of its trace. */
export interface AttackPlace {
  readonly run: number
  readonly attack: number
  readonly trial: number
  readonly seq?: number | undefined
}
