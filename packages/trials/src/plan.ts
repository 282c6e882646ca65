/**
 * The plan of an attack: the number of runs in each arm, given the results so far. All functions are pure, so that any
 * machine can extend a plan.
 */

import { type Trial, tallyOf, trialsToDecide } from '@joust/results'
import { describeValue, isRecord } from '@joust/source'
import { trialLimits } from './limits.ts'
import type { Arm, RunKey } from './run-key.ts'

/** Trials that are run until it is decided whether the success rate is below a limit. */
interface SequentialTrials {
  /** The success rate in question, between 0 and 1. */
  readonly limit: number
  /** The maximum number of trials, after which the question remains undecided. */
  readonly most: number
}

/**
 * Additional runs for comparison. `sensitivity` includes `placebo`; `unspecific` runs a placebo only for documents that
 * do not need an obedient agent, `all` for every attack that was run.
 */
export type ArmChoice = 'placebo' | 'none' | 'sensitivity' | 'unspecific' | 'all'

/** The plan for every attack in a suite. */
export interface TrialPlan {
  readonly trials: number | SequentialTrials
  readonly arms: ArmChoice
}

/** The results of an attack so far, by arm. */
export type ArmResults = Readonly<Record<Arm, readonly Pick<Trial, 'outcome' | 'controls'>[]>>

/** Returns the number of trials to run in each arm, including trials that have a result. */
export function wantedTrials({ trials, arms }: TrialPlan, { attack }: ArmResults): Readonly<Record<Arm, number>> {
  const count = typeof trials === 'number' ? trials : sequentialTrials(trials, attack)
  const isNeeded = arms !== 'none' && attack.some(placeboTests[arms])
  return {
    attack: count,
    placebo: isNeeded ? Math.min(count, trialLimits.placeboTrials) : 0,
    sensitivity: arms === 'sensitivity' && needsSensitivity(attack) ? 1 : 0,
  }
}

/** True for an attack that was run without success. A success shows that the attack can work in this harness. */
function needsSensitivity(attack: ArmResults['attack']): boolean {
  const played = attack.filter(({ outcome }) => outcome !== 'not_applicable')
  return played.length > 0 && played.every(({ outcome }) => outcome !== 'exploited' && outcome !== 'partial')
}

/**
 * True for a success, for a run that may have been stopped before or after the model because of its bait, and for a
 * document that does not need an obedient agent.
 */
function needsPlacebo({ outcome, controls = {} }: Pick<Trial, 'outcome' | 'controls'>): boolean {
  const { filtered, unread } = controls
  const isStopped = filtered === true || unread === true
  return outcome === 'exploited' || outcome === 'partial' || isStopped || isUnspecific({ controls })
}

/** Tests that decide whether a result requires a placebo, by choice of arms. */
const placeboTests: Readonly<Record<Exclude<ArmChoice, 'none'>, (trial: ArmResults['attack'][number]) => boolean>> = {
  placebo: needsPlacebo,
  sensitivity: needsPlacebo,
  unspecific: isUnspecific,
  all: ({ outcome }) => outcome !== 'not_applicable',
}

function isUnspecific({ controls }: Pick<Trial, 'controls'>): boolean {
  return controls?.unspecific === true
}

/** Returns the runs that the plan requires given the results so far, including finished runs. */
export function wantedRuns(
  plan: TrialPlan,
  attack: Omit<RunKey, 'arm' | 'trial'>,
  results: ArmResults,
  hasPlacebo: () => boolean,
): RunKey[] {
  const counts = wantedTrials(plan, results)
  const runs = (arm: Arm, count: number) =>
    Array.from({ length: count }, (_, at): RunKey => ({ ...attack, arm, trial: at + 1 }))
  const placebo = counts.placebo > 0 && hasPlacebo() ? counts.placebo : 0
  return [...runs('attack', counts.attack), ...runs('placebo', placebo), ...runs('sensitivity', counts.sensitivity)]
}

/** Returns the reason why `trials` is invalid; undefined if valid. With an invalid value, a suite would not end. */
export function trialsFault(trials: unknown): string | undefined {
  if (isRecord(trials)) {
    const { limit, most } = trials
    const isLimit = typeof limit === 'number' && limit >= 0 && limit <= 1
    if (!isLimit) return `trials.limit must be a number between 0 and 1, not ${describeValue(limit)}`
    return isCount(most) ? undefined : `trials.most must be a positive integer, not ${describeValue(most)}`
  }
  return isCount(trials) ? undefined : `trials must be a positive integer, not ${describeValue(trials)}`
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

/** Returns the number of trials to run before any result. */
export function firstTrials(plan: TrialPlan): number {
  return wantedTrials(plan, { attack: [], placebo: [], sensitivity: [] }).attack
}

/** Returns the maximum number of trials, by arm. */
export function mostTrials({ trials, arms }: TrialPlan): Readonly<Record<Arm, number>> {
  const attack = typeof trials === 'number' ? trials : trials.most
  const placebo = arms === 'none' ? 0 : Math.min(attack, trialLimits.placeboTrials)
  return { attack, placebo, sensitivity: arms === 'sensitivity' ? 1 : 0 }
}

/**
 * Returns the number of trials that the fastest decision needs. None of them is superfluous, even if they are run
 * concurrently.
 */
function sequentialTrials({ limit, most }: SequentialTrials, attack: ArmResults['attack']): number {
  const tally = tallyOf(attack)
  const isFutile = tally.of === 0 && attack.length >= trialLimits.futileTrials
  const isOutside = attack.length > 0 && attack.every(({ outcome }) => outcome === 'not_applicable')
  return isFutile || isOutside ? attack.length : Math.min(most, attack.length + trialsToDecide(limit, tally))
}
