/** A campaign as data: what travels from whoever submits it to the workers. It holds no secrets, only their names. */
import type { Agreements, BudgetLimits, LedgerProgress, ResultControl, ResultTarget } from '@joust/arena'
import type { Value } from '@joust/source'

/** What holds for all runs of a campaign. */
export interface CampaignPlan {
  readonly trials: number
  readonly budget?: BudgetLimits
  /** How many runs of each target there are at a time, over all workers; by default, as many as there is room for. */
  readonly concurrency?: number
  /** How often a run is repeated when it is inconclusive for a reason outside the agent. */
  readonly retries?: number
  /** RE2 expressions for what is hidden before a result leaves its worker, besides what has the shape of a secret. */
  readonly redact?: readonly string[]
  /** The model that judges semantic indicators, by its name; its key is where the workers are. */
  readonly judge?: string
  /** Whether documents in a dialect are left as they are written. */
  readonly strict?: boolean
}

/** Who is attacked, with all that a worker needs to attack it. */
export interface CampaignTarget {
  readonly name: string
  /** For the results. */
  readonly about: ResultTarget
  /** How it is set up; only the workers know how to read it. */
  readonly setup: Value
  /** The files that it refers to, by relative path, as base64. */
  readonly files?: Readonly<Record<string, string>>
}

/** What one worker finds out about a target, once, before anybody attacks it; it holds for all runs of the target. */
export interface TargetControl {
  /** Absent where the target cannot be asked, or the user has skipped it. */
  readonly result?: ResultControl
  /** The version of MCP that actors speak with it where the document says nothing. */
  readonly mcpVersion?: string
  /** What judges semantic indicators, and how far it agrees with the examples of each document, by `attackKey`. */
  readonly judged?: {
    readonly about: NonNullable<ResultTarget['judge']>
    readonly agreements: readonly (readonly [string, NonNullable<ReturnType<Agreements['get']>>])[]
  }
}

/** A document of a campaign, as it was written. */
export interface CampaignAttack {
  readonly file: string
  readonly fingerprint: string
  readonly text: string
  readonly severity?: string
}

/** A campaign to submit. One that already exists gets the targets and attacks that are new. */
export interface CampaignSpec {
  readonly name: string
  readonly plan: CampaignPlan
  readonly targets: readonly CampaignTarget[]
  readonly attacks: readonly CampaignAttack[]
}

/** `open` while runs are handed out; `stopped` when a budget is used up. */
export type CampaignState = 'open' | 'cancelled' | 'stopped'

/** The status of a campaign. */
export interface CampaignStatus extends LedgerProgress {
  readonly name: string
  readonly state: CampaignState
  /** Why no more runs are handed out, as a sentence. */
  readonly stopped?: string
  readonly created: string
  /** The time of the last result. */
  readonly finished?: string
  readonly plan: CampaignPlan
  readonly targets: readonly TargetStatus[]
  readonly tokens: number
  readonly calls: number
  /** Runs that were repeated because something outside the agent had failed. */
  readonly retried: number
  /** Runs that a worker is working on. */
  readonly running: number
}

/** The status of a target of a campaign. */
export interface TargetStatus {
  readonly name: string
  /** The outcome of its control; absent before there was one, and where none is needed. */
  readonly control?: ResultControl
  /** Set while a worker runs its control. */
  readonly controlling?: true
  /** Workers that have left it to others although it has runs to do; the most recent first. */
  readonly left?: readonly LeftTarget[]
}

/** Why some workers have left a target to others. */
export interface LeftTarget {
  readonly reason: string
  readonly workers: readonly string[]
  /** When the last of them said so. */
  readonly told: string
}
