/** What the server and the page say to each other, as JSON. */
import {
  type Outcome,
  type Redacted,
  type ResultControl,
  type SeenMessages,
  type TraceEntry,
  type Trial,
  worstOf,
} from '@joust/arena'
import type { Tier } from '@joust/oatf'

/** A file that can be written, and what it was when it was read. */
export interface FileText {
  readonly path: string
  readonly text: string
  /** Changes with the text. */
  readonly version: string
  /** Whether there is an earlier text to go back to. */
  readonly undo: boolean
}

/** An attack that can be run. */
export interface ProjectAttack {
  /** The name by which a run asks for it. */
  readonly file: string
  readonly name: string
}

export interface ProjectTarget {
  readonly name: string
  readonly kind: string
}

/** What the folder says can be run. */
export interface ProjectInfo {
  /** Relative to the folder; absent where there is none. */
  readonly path?: string
  readonly attacks: readonly ProjectAttack[]
  readonly targets: readonly ProjectTarget[]
  readonly trials: number
  /** Why there is nothing to be run, or what is left out, as the command would print it. */
  readonly problem?: string
  /** Where campaigns can be submitted, without any secret. */
  readonly queue?: string
  /** The shape of the project file, as `@joust/language` expects it. */
  readonly shape?: unknown
}

/** The status of a campaign of a queue. */
export interface CampaignInfo {
  readonly name: string
  readonly created: string
  readonly state: 'open' | 'done' | 'cancelled' | 'stopped'
  /** Why no more runs are handed out. */
  readonly stopped?: string
  readonly targets: readonly string[]
  readonly trials: number
  readonly runs: number
  /** Runs without a result, and those of them that a worker is working on. */
  readonly open: number
  readonly running: number
  readonly outcomes: { readonly [outcome: string]: number }
  readonly calls: number
  readonly tokens: number
}

/** A run that was made or is being made, by a worker or here. */
export interface CampaignRun extends RunPlace {
  /** Absent while it is under way. */
  readonly outcome?: Outcome
  readonly tier?: Tier
  /** How many there are so far, where that is known. */
  readonly messages?: number
}

/** The runs of each attack on each target, by `cellKey`. */
export function cellsOf(runs: readonly CampaignRun[]): ReadonlyMap<string, readonly CampaignRun[]> {
  const cells = new Map<string, CampaignRun[]>()
  for (const run of runs) {
    const known = cells.get(cellKey(run)) ?? []
    cells.set(cellKey(run), known)
    known.push(run)
  }
  return cells
}

export function cellKey({ target, file }: CellPlace): string {
  return JSON.stringify([target, file])
}

export function runKey({ target, file, trial }: RunPlace): string {
  return JSON.stringify([target, file, trial])
}

/** The worst of several trials with a result counts, and the first of those. */
export function worstRun(runs: readonly CampaignRun[]): CampaignRun | undefined {
  const judged = runs.flatMap((run) => {
    const { outcome, tier } = run
    return outcome === undefined ? [] : [{ run, outcome, tier }]
  })
  return worstOf(judged)?.run
}

/** A run as it is now, for whoever watches it. */
export interface WatchedRun {
  /** Which attempt of the run this is, and which part of it came last: the next question asks for what comes after. */
  readonly attempt: string
  readonly part: number
  /** What the watcher does not have yet; everything, if it is another attempt. */
  readonly entries: readonly Redacted<TraceEntry>[]
  readonly isRunning: boolean
  /** The phase of each actor, where that is known. */
  readonly phases?: Readonly<Record<string, string>>
  /** Its result, once it is over. */
  readonly trial?: Redacted<Trial>
}

/** What to run; everything by default. */
export interface RunRequest {
  readonly attacks?: readonly string[]
  readonly targets?: readonly string[]
  readonly trials?: number
}

/** An attack on a target. */
interface CellPlace {
  readonly target: string
  readonly file: string
}

/** Identifies a run of a suite. */
export interface RunPlace extends CellPlace {
  readonly trial: number
}

/** What happens while a suite runs. */
export type SuiteEvent =
  | ({ readonly kind: 'planned' } & PlannedSuite)
  | { readonly kind: 'control'; readonly target: string; readonly control: ResultControl | 'started' }
  | ({ readonly kind: 'started' } & RunPlace)
  | ({ readonly kind: 'phase'; readonly actor: string; readonly phase: string } & RunPlace)
  | ({ readonly kind: 'message'; readonly entry: Redacted<TraceEntry> } & RunPlace)
  | ({ readonly kind: 'finished'; readonly result: Redacted<Trial> } & RunPlace)
  | { readonly kind: 'log'; readonly text: string }

/** What a suite that runs consists of. */
interface PlannedSuite {
  readonly targets: readonly string[]
  readonly attacks: readonly ProjectAttack[]
  readonly trials: number
}

/** How a suite ended. */
export type SuiteEnd =
  | { readonly state: 'done' | 'stopped'; readonly results: string }
  | { readonly state: 'failed'; readonly message: string }

/** A suite that runs or has run here. */
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

/** What a page asks for again and again. */
export interface StudioNews {
  readonly folder: string
  /** Changes with the suite. */
  readonly version: string
  /** The last suite since the studio was started; absent where the page has this version. */
  readonly suite?: SuiteState
}

/** A summary of the results of an earlier run. */
export interface ResultsSummary {
  /** The name of the folder. */
  readonly name: string
  readonly started_at: string
  readonly targets: readonly {
    readonly name: string
    readonly attacks: readonly { readonly file: string; readonly name: string; readonly outcome: string }[]
  }[]
  /** Why they could not be read. */
  readonly fault?: string
}

/** The prefix of a campaign's name among the names of folders with results. */
export const ofQueue = 'queue:'

/** The judgement of an attack on a trace. */
export interface TraceJudgement {
  readonly outcome: string
  readonly reasons: readonly string[]
  readonly indicators: readonly (SeenMessages & { readonly id: string; readonly result: string })[]
  readonly entries: readonly TraceEntry[]
}

/** What setting a folder up did: what the command says, and the files that it created. */
export interface SetUp {
  readonly text: string
  readonly wrote: readonly string[]
}

/** Whether a document distinguishes agents, as `joust prove` says. */
export interface ProofText {
  readonly proven: boolean
  readonly text: string
}
