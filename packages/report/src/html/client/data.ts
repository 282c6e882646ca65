/** What is embedded in a report: the results as they are, what follows from them, and one block per trace. */
import type { AttackStatistics, Coverage, Results, SuiteStatistics, TargetResults } from '@joust/arena'

/** The block with the id `report`. */
export interface ReportData {
  readonly runs: readonly ReportRun[]
  /** Of all runs together. */
  readonly coverage: Coverage
  /** What is to be said about the suite as a whole, such as that it tells nothing apart. */
  readonly notes: readonly string[]
}

/** One target of a file of results; the matrix has a column for it. */
export interface ReportRun {
  readonly target: TargetResults
  /** Modes of its actors in which they play the user's side. */
  readonly clientModes: readonly string[]
  /** What is said of the file as a whole. */
  readonly results: Omit<Results, 'targets'>
  readonly suite: SuiteStatistics
  /** For each attack, in the order of the results. */
  readonly statistics: readonly AttackStatistics[]
  /** For each attack, for each trial. */
  readonly traces: readonly (readonly TraceSummary[])[]
  /** For each attack, for each trial: what the agent was sent, in words; empty where nothing was planted. */
  readonly sent: readonly (readonly string[])[]
}

/** What became of a trace. */
export interface TraceSummary {
  /** The id of the block that holds it. */
  readonly block: string
  readonly messages: number
  /** Messages that are not in the report, since it would be too large. */
  readonly leftOut: number
  /** Messages of which only the beginning is in the report. */
  readonly shortened: number
  /** Why the trace could not be read to its end. */
  readonly fault?: string
}

/**
 * The first line of a trace block; the lines after it are the contents of the messages, one each, as JSON. Columns have
 * one element per message, numbers that stand for text are places in `strings`.
 */
export interface TraceIndex {
  readonly strings: readonly string[]
  readonly actors: readonly { readonly name: string; readonly mode: string; readonly protocol: string }[]
  /** When the run began, as ISO 8601; absent when it cannot be told. */
  readonly began?: string
  readonly seq: readonly number[]
  readonly elapsed: readonly number[]
  readonly actor: readonly number[]
  readonly phase: readonly number[]
  readonly surface: readonly number[]
  /** A few words of the content. */
  readonly label: readonly number[]
  readonly flags: readonly number[]
  /** By place of a message: its session, why it could not be read, how many characters its content has. */
  readonly session: Readonly<Record<string, string>>
  readonly malformed: Readonly<Record<string, string>>
  readonly characters: Readonly<Record<string, number>>
  /** By place of a message: how many before it were left out. The place after the last counts too. */
  readonly gaps: Readonly<Record<string, number>>
}
