/** A campaign as data, sent from the submitter to the workers. Contains the names of secrets, never their values. */

import type { ResultPreflight, ResultTarget } from '@joust/results'
import type { Value } from '@joust/source'
import type { Agreements, ArmChoice, BudgetLimits, LedgerProgress, TrialPlan } from '@joust/trials'

/** Options for all runs of a campaign. */
export interface CampaignPlan {
  readonly trials: TrialPlan['trials']
  /**
   * Runs in addition to those of the document as written.
   *
   * @default 'none'
   */
  readonly arms?: ArmChoice
  readonly budget?: BudgetLimits
  /**
   * Concurrent runs per target, across all workers.
   *
   * @default no limit other than the concurrency of the workers
   */
  readonly concurrency?: number
  /**
   * Retries of a run that is inconclusive for a reason outside the agent.
   *
   * @default 0
   */
  readonly retries?: number
  /** RE2 expressions to redact before a result leaves its worker, in addition to the shapes of common secrets. */
  readonly redact?: readonly string[]
  /** The name of the model that judges semantic indicators; workers take its key from their environment. */
  readonly judge?: string
  /**
   * Loads documents without dialects.
   *
   * @default false
   */
  readonly strict?: boolean
}

/** The trials and arms of every attack of a campaign. */
export function trialPlanOf({ trials, arms = 'none' }: Pick<CampaignPlan, 'trials' | 'arms'>): TrialPlan {
  return { trials, arms }
}

/** A target with everything a worker needs to attack it. */
export interface CampaignTarget {
  readonly name: string
  /** The target as it appears in results. */
  readonly about: ResultTarget
  /** Configuration that only the `prepare` option of workers interprets. */
  readonly setup: Value
  /** Referenced files by relative path, in Base64. */
  readonly files?: Readonly<Record<string, string>>
}

/** The preflight of a target: run once by one worker, valid for all runs of the target. */
export interface TargetPreflight {
  /** The result; absent if the target has no preflight. */
  readonly result?: ResultPreflight
  /** The MCP version for actors whose document does not set one. */
  readonly mcpVersion?: string
  /** The judge of semantic indicators and its agreement with the examples of each document, by `attackKey`. */
  readonly judged?: {
    readonly about: NonNullable<ResultTarget['judge']>
    readonly agreements: readonly (readonly [string, NonNullable<ReturnType<Agreements['get']>>])[]
  }
}

/** A document of a campaign, with its source text. */
export interface CampaignAttack {
  readonly file: string
  readonly fingerprint: string
  readonly text: string
  readonly severity?: string
}

/** A campaign to submit. New targets and attacks are added to a campaign of the same name. */
export interface CampaignSpec {
  readonly name: string
  readonly plan: CampaignPlan
  readonly targets: readonly CampaignTarget[]
  readonly attacks: readonly CampaignAttack[]
}

/**
 * The state of a campaign: `open` while runs are handed out, `stopped` once a budget is exhausted.
 */
export type CampaignState = 'open' | 'cancelled' | 'stopped'

/** The status of a campaign. */
export interface CampaignStatus extends LedgerProgress {
  readonly name: string
  readonly state: CampaignState
  /** The reason why no more runs are handed out. */
  readonly stopped?: string
  readonly created: string
  /** The time of the last result. */
  readonly finished?: string
  readonly plan: CampaignPlan
  readonly targets: readonly TargetStatus[]
  readonly tokens: number
  readonly calls: number
  /** Retries after failures outside the agent. */
  readonly retried: number
  /** Runs in progress. */
  readonly running: number
}

/** The status of a target of a campaign. */
export interface TargetStatus {
  readonly name: string
  /** The outcome of its preflight; absent until it is recorded, and if none is needed. */
  readonly preflight?: ResultPreflight
  /** True while a worker runs its preflight. */
  readonly inPreflight?: true
  /** Refusals by workers that cannot attack it, most recent first. Absent once all runs have results. */
  readonly left?: readonly TargetRefusal[]
}

/** A reason why workers cannot attack a target. */
export interface TargetRefusal {
  readonly reason: string
  readonly workers: readonly string[]
  /** Time of the last refusal in ISO 8601. */
  readonly told: string
}
