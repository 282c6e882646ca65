/** Campaigns as data that the submitter sends to the workers. They contain the names of secrets, never the values. */

import type { ResultPreflight, ResultTarget } from '@joust/results'
import type { Value } from '@joust/source'
import type { Agreements, ArmChoice, BudgetLimits, LedgerProgress, TrialPlan } from '@joust/trials'

/** Options for all runs of a campaign. */
export interface CampaignPlan {
  readonly trials: TrialPlan['trials']
  /** Arms to run in addition to the attack as written. @default 'none' */
  readonly arms?: ArmChoice
  readonly budget?: BudgetLimits
  /** Maximum number of concurrent runs per target, across all workers. @default limited only by the workers */
  readonly concurrency?: number
  /** Maximum number of retries of a run that is inconclusive for a reason outside the agent. @default 0 */
  readonly retries?: number
  /** RE2 expressions to redact, in addition to common secret formats, before a result leaves its worker. */
  readonly redact?: readonly string[]
  /** Name of the model that judges semantic indicators. Workers take the key of the model from their environment. */
  readonly judge?: string
  /** Loads documents without dialects. @default false */
  readonly strict?: boolean
}

export function trialPlanOf({ trials, arms = 'none' }: Pick<CampaignPlan, 'trials' | 'arms'>): TrialPlan {
  return { trials, arms }
}

/** A target with everything a worker needs to attack it. */
export interface CampaignTarget {
  readonly name: string
  /** The target as it appears in results. */
  readonly about: ResultTarget
  /** Configuration for the `prepare` option of workers. */
  readonly setup: Value
  /** Referenced files by relative path, encoded in Base64. */
  readonly files?: Readonly<Record<string, string>>
}

/** The preflight of a target. One worker runs it once, and it is valid for all runs of the target. */
export interface TargetPreflight {
  /** The result. Absent if the target has no preflight. */
  readonly result?: ResultPreflight
  /** MCP version for actors whose document does not set one. */
  readonly mcpVersion?: string
  /** The judge of semantic indicators, and its agreement with the examples in each document by `attackKey`. */
  readonly judged?: {
    readonly about: NonNullable<ResultTarget['judge']>
    readonly agreements: readonly (readonly [string, NonNullable<ReturnType<Agreements['get']>>])[]
  }
}

/** An attack document with its source text. */
export interface CampaignAttack {
  readonly file: string
  readonly fingerprint: string
  readonly text: string
  readonly severity?: string
}

/** A campaign to submit. If a campaign with the same name exists, new targets and attacks are added to it. */
export interface CampaignSpec {
  readonly name: string
  readonly plan: CampaignPlan
  readonly targets: readonly CampaignTarget[]
  readonly attacks: readonly CampaignAttack[]
}

/** The state of a campaign. New runs start only while it is `open`; it is `stopped` when its budget is exhausted. */
export type CampaignState = 'open' | 'cancelled' | 'stopped'

export interface CampaignStatus extends LedgerProgress {
  readonly name: string
  readonly state: CampaignState
  /** Reason why the campaign is not open. */
  readonly stopped?: string
  readonly created: string
  /** Time of the last result in ISO 8601. */
  readonly finished?: string
  readonly plan: CampaignPlan
  readonly targets: readonly TargetStatus[]
  readonly tokens: number
  readonly calls: number
  /** Number of retries after failures outside the agent. */
  readonly retried: number
  readonly running: number
}

export interface TargetStatus {
  readonly name: string
  /** Preflight result. Absent until the preflight is recorded, and for targets without one. */
  readonly preflight?: ResultPreflight
  readonly inPreflight?: true
  /** Refusals by workers, most recent first. Absent once all runs have results. */
  readonly left?: readonly TargetRefusal[]
}

/** A reason why workers cannot attack a target. */
export interface TargetRefusal {
  readonly reason: string
  readonly workers: readonly string[]
  /** Time of the last refusal in ISO 8601. */
  readonly told: string
}
