/** The data embedded in a report. */
import type { AttackResults, Results, TargetResults } from '@joust/results'
import type { Trace } from './trace.ts'

/** Content of the block `report`. Like all blocks, it is compressed. */
export interface ReportData {
  /** The targets. Details of attacks with runs are stored with their traces. */
  readonly runs: readonly ReportRun[]
  /** Notes on the suite, for example that it does not distinguish agents. */
  readonly notes: readonly string[]
  /** Trace summaries by target, attack and run. The runs without the bait follow the trials. */
  readonly traces: readonly (readonly (readonly TraceSummary[])[])[]
}

/** A target in a results file. Each target is a column of the matrix. */
export interface ReportRun {
  readonly target: TargetResults
  readonly results: Omit<Results, 'targets'>
}

export interface TraceSummary {
  /** Index of the block that contains the trace. */
  readonly block: number
  /** Index of the trace in that block. */
  readonly part: number
  readonly messages: number
  /** Number of messages omitted because of the size limit. */
  readonly leftOut: number
  /** Number of truncated messages. */
  readonly shortened: number
  /** Error that ended the trace early. */
  readonly fault?: string
}

export function traceBlockId(block: number): string {
  return `traces-${block}`
}

/** The separator between the traces in a block. Lines of a trace are never empty. */
export const TRACE_SEPARATOR = '\n\n'

/** The first line of a trace. The other lines are the contents of its messages. */
export interface TraceHead extends Omit<Trace, 'lines'> {
  /** The complete attack with its document. Present only in the first trace of an attack. */
  readonly attack?: AttackResults
}

/** The indices of a target, an attack and a trial, and optionally the `seq` of a message. */
export interface AttackPlace {
  readonly run: number
  readonly attack: number
  readonly trial: number
  readonly seq?: number | undefined
}
