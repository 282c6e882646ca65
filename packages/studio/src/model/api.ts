/** Types of the HTTP API between page and server. */

import type { Tier } from '@joust/oatf'
import {
  type BaitCall,
  type Flow,
  type Outcome,
  type ReadTraceOptions,
  type Redacted,
  type ResultPreflight,
  type SeenMessages,
  type TraceEntry,
  type TraceItem,
  type Trial,
  worstOf,
} from '@joust/results'
import type { Result } from '@joust/source'

/** An editable file with its version. */
export interface FileText {
  readonly path: string
  readonly text: string
  /** Hash of the text. */
  readonly version: string
  /** True if a save can be undone. */
  readonly undo: boolean
}

export interface ProjectAttack {
  /** Name of the attack in run requests. */
  readonly file: string
  readonly name: string
  /** Severity of the attack. Absent until the attack has been read for a suite. */
  readonly severity?: string
  /** True for an attack from the bundled library that the project does not select. */
  readonly isExtra?: true
}

export interface StudioTarget {
  readonly name: string
  readonly kind: string
}

/** The attacks and targets of the project file. */
export interface ProjectInfo {
  /** Path of the project file, relative to the folder. Absent if the folder has no project file. */
  readonly path?: string
  readonly attacks: readonly ProjectAttack[]
  readonly targets: readonly StudioTarget[]
  readonly trials: RequestedTrials
  /** Errors and warnings of the project, as printed by the command. */
  readonly problem?: string
  /** Description of the campaign database, without secrets. */
  readonly queue?: string
  /** Shape of the project file for `@joust/language`. */
  readonly shape?: unknown
}

/** The status of a campaign in a queue. */
export interface CampaignInfo {
  readonly name: string
  readonly created: string
  readonly state: 'open' | 'done' | 'cancelled' | 'stopped'
  /** Reason why the campaign is not open. */
  readonly stopped?: string
  readonly targets: readonly string[]
  /** Maximum number of trials per attack. */
  readonly trials: number
  /** True if an attack may need fewer trials. */
  readonly atMost?: true
  readonly runs: number
  /** Number of runs without a result, including those in progress. */
  readonly open: number
  readonly running: number
  readonly outcomes: { readonly [outcome: string]: number }
  readonly calls: number
  readonly tokens: number
}

/** A finished run or a run in progress, in a worker or in this process. */
export interface CampaignRun extends RunPlace {
  /** Outcome of the run. Absent while the run is in progress. */
  readonly outcome?: Outcome
  readonly tier?: Tier
  /** Number of messages so far, if known. */
  readonly messages?: number
}

/** Returns the runs of each attack on each target. Keys are from `cellKey`. */
export function cellsOf(runs: readonly CampaignRun[]): ReadonlyMap<string, readonly CampaignRun[]> {
  const cells = new Map<string, CampaignRun[]>()
  for (const run of runs) {
    const cell = cells.get(cellKey(run)) ?? []
    cells.set(cellKey(run), cell)
    cell.push(run)
  }
  return cells
}

export function cellKey({ target, file }: CellPlace): string {
  return JSON.stringify([target, file])
}

export function runKey({ target, file, arm, trial }: RunPlace): string {
  return JSON.stringify([target, file, arm ?? '', trial])
}

/** Returns the first trial with the worst outcome. */
export function worstRun(runs: readonly CampaignRun[]): CampaignRun | undefined {
  const judged = runs.flatMap((run) => {
    const { outcome, tier } = run
    return outcome === undefined ? [] : [{ run, outcome, tier }]
  })
  return worstOf(judged)?.run
}

export interface WatchedRun {
  /** The attempt, to be sent with the next request. */
  readonly attempt: string
  /** Number of the last part. The next request asks for later parts. */
  readonly part: number
  /** Entries after the requested part, or all entries if the attempt is new. */
  readonly entries: readonly Redacted<TraceEntry>[]
  readonly isRunning: boolean
  /** Current phase of each actor, if known. */
  readonly phases?: Readonly<Record<string, string>>
  /** The finished run. Absent until the run has finished. */
  readonly trial?: Redacted<Trial>
}

/** The attacks and targets to run. By default, all attacks and targets, with the project's number of trials. */
export interface RunRequest {
  readonly attacks?: readonly string[]
  readonly targets?: readonly string[]
  readonly trials?: RequestedTrials
}

/** A number of trials, or `auto` to run until the question in the project file is decided. */
export type RequestedTrials = number | 'auto'

interface CellPlace {
  readonly target: string
  readonly file: string
}

export interface RunPlace extends CellPlace {
  /** `placebo` for a run without the bait. Otherwise absent. */
  readonly arm?: 'placebo'
  readonly trial: number
}

export type SuiteEvent =
  | ({ readonly kind: 'planned' } & PlannedSuite)
  | { readonly kind: 'preflight'; readonly target: string; readonly preflight: ResultPreflight | 'started' }
  | ({ readonly kind: 'started' } & RunPlace)
  | ({ readonly kind: 'phase'; readonly actor: string; readonly phase: string } & RunPlace)
  | ({ readonly kind: 'message'; readonly entry: Redacted<TraceEntry> } & RunPlace)
  | ({ readonly kind: 'finished'; readonly result: Redacted<Trial> } & RunPlace)
  | { readonly kind: 'log'; readonly text: string }

interface PlannedSuite extends Pick<CampaignInfo, 'targets' | 'trials' | 'atMost'> {
  readonly attacks: readonly ProjectAttack[]
}

export type SuiteEnd =
  | { readonly state: 'done' | 'stopped'; readonly results: string }
  | { readonly state: 'failed'; readonly message: string }

/** A running or finished suite in this process. */
export interface SuiteState {
  readonly id: number
  readonly request: RunRequest
  readonly planned?: PlannedSuite
  readonly log: readonly string[]
  readonly runs: readonly CampaignRun[]
  readonly messages: number
  readonly calls: number
  readonly tokens: number
  readonly end?: SuiteEnd
}

/** The state of the studio, which pages poll. */
export interface StudioUpdate {
  readonly folder: string
  /** Version of the suite's state, which changes with every event. */
  readonly version: string
  /** The last suite since the studio was started. Absent if the page already has its current version. */
  readonly suite?: SuiteState
}

/** A summary of the results of an earlier run. */
export interface ResultsSummary {
  /** Name of the folder. */
  readonly name: string
  readonly started_at: string
  readonly targets: readonly {
    readonly name: string
    readonly attacks: readonly { readonly file: string; readonly name: string; readonly outcome: string }[]
  }[]
  /** The error if the results could not be read. */
  readonly fault?: string
}

/** Prefix that distinguishes campaigns from results folders. */
export const ofQueue = 'queue:'

/** The result of judging a trace with an attack. */
export interface TraceJudgement {
  readonly outcome: string
  readonly reasons: readonly string[]
  readonly indicators: readonly (SeenMessages & { readonly id: string; readonly result: string })[]
  readonly flows?: readonly Flow[]
  readonly entries: readonly TraceEntry[]
}

/** The messages in a stored trace, and the model call with the bait. */
export interface StoredTrace {
  readonly entries: readonly TraceEntry[]
  readonly baitCall?: BaitCall
}

/** Opens a stored or uploaded trace. */
export type OpenTrace = (options: ReadTraceOptions) => AsyncIterable<TraceItem>

/** Judges a trace with an attack, given as text. `bounds` limits the returned entries, not those judged. */
export type JudgeTrace = (
  attack: string,
  trace: OpenTrace,
  bounds: { readonly entries: number; readonly verdicts: number },
) => Promise<Result<TraceJudgement, string>>

/** The output of `joust init`, and the files that it created. */
export interface SetUp {
  readonly text: string
  readonly wrote: readonly string[]
}

/** The output of `joust prove`. */
export interface ProofText {
  readonly proven: boolean
  readonly text: string
}

/** A source of servers or tools for attacks. */
export interface AimInput {
  readonly kind: 'config' | 'session' | 'tools' | 'target'
  /** A file in the folder, or a target in the project. */
  readonly name: string
  /** Commands that are started and URLs that are contacted to list the tools, without secrets. */
  readonly starts: readonly string[]
}

/** A request to list the tools of an input, or to correct their labels. */
export interface AimRequest {
  /** The input with `starts` as shown to the user. Other commands are not started. */
  readonly input: AimInput
  /** Labels by `server/tool`, saved in the project file. */
  readonly labels?: Readonly<Record<string, readonly string[]>>
}

/** Tools of an input with their labels, and the flows between them. */
export interface ToolMap {
  readonly tools: readonly MappedTool[]
  /** Flows, most harmful first. */
  readonly flows: readonly MappedFlow[]
  /** Total number of flows, which exceeds the length of `flows` if the list was truncated. */
  readonly total: number
  /** Messages about omitted servers and tools. */
  readonly notes: string
}

export interface MappedTool {
  /** Name of the tool, written as `server/tool`. */
  readonly name: string
  readonly labels: readonly { readonly label: string; readonly reasons: readonly string[] }[]
}

/** A path from a source to a sink. Tools are written as `server/tool`. */
export interface MappedFlow {
  readonly id: string
  readonly source: string
  readonly private?: string
  readonly sink: string
  readonly severity: string
  /** Effect, as a clause after the name of the sink. */
  readonly effect: string
}

/** A request for documents, by default for all flows. */
export interface AimDocumentsRequest {
  readonly input: AimInput
  readonly flows?: readonly string[]
  readonly max: number
}

/** Proven documents, and the reasons why other candidates were rejected. */
export interface AimDocuments {
  readonly documents: readonly {
    readonly file: string
    readonly text: string
    readonly flow: string
    readonly technique: string
  }[]
  readonly rejected: readonly string[]
}

/** The files of documents. `kept`: a file with different text existed and was not changed. */
export interface AimedFiles {
  readonly files: readonly { readonly path: string; readonly state: 'wrote' | 'same' | 'kept' }[]
  readonly rejected: readonly string[]
}
