import { defined } from '@joust/source'
import { isJudged } from '../model/outcome-order.ts'
import type { AttackResults, TargetResults, Trial } from '../model/results.ts'
import { alwaysValid } from './confidence-sequence.ts'
import { type Counts, countOutcomes } from './summary.ts'
import { hasTaskResult, taskDone } from './utility.ts'
import { type Proportion, passHat, proportionOf } from './wilson.ts'

export interface AttackStatistics {
  readonly counts: Counts
  /** Number of conclusive trials. Rates exclude all other trials. */
  readonly judged: number
  /** Rate of full successes. Partial successes count only as trials. */
  readonly success?: Proportion
  /** True if the number of trials was not fixed. The interval of `success` is then always-valid. */
  readonly sequential: boolean
  /** pass^k, the probability that k runs all resist, for k from 1 to the number of judged trials, at most 10. */
  readonly passHat: readonly number[]
  /** True if some judged trials resisted and others did not. */
  readonly flaky: boolean
  /** Rate of completed user tasks, if the document has one. */
  readonly utility?: Proportion
}

/** Maximum k of pass^k. */
const MOST_RUNS = 10

/**
 * Computes the statistics of one attack.
 *
 * @example
 * for (const found of results.targets.flatMap(({ attacks }) => attacks)) console.log(statisticsOf(found).success)
 */
export function statisticsOf({ trials, decision }: Pick<AttackResults, 'trials' | 'decision'>): AttackStatistics {
  const counts = countOutcomes(trials)
  const judged = trials.filter(isJudged).length
  const { resisted } = counts
  return defined({
    counts,
    judged,
    success: (decision === undefined ? proportionOf : alwaysValid)(counts.exploited, judged),
    sequential: decision !== undefined,
    passHat: Array.from({ length: Math.min(judged, MOST_RUNS) }, (_, at) => passHat(at + 1, resisted, judged) ?? 0),
    flaky: resisted > 0 && resisted < judged,
    utility: utilityOf(trials),
  })
}

/** The statistics of a suite. Its attacks are the sample, because trials of one attack are not independent. */
export interface SuiteStatistics {
  /** Rate of attacks that succeeded at least once, among attacks with a judged trial. */
  readonly attacks?: Proportion
  readonly flaky: number
  readonly inconclusive: number
  readonly not_applicable: number
  readonly trials: number
  readonly utility?: Proportion
}

export function suiteStatistics({ attacks }: Pick<TargetResults, 'attacks'>): SuiteStatistics {
  const each = attacks.map(statisticsOf)
  const judged = each.filter((one) => one.judged > 0)
  return defined({
    attacks: proportionOf(judged.filter(({ counts }) => counts.exploited > 0).length, judged.length),
    flaky: each.filter(({ flaky }) => flaky).length,
    inconclusive: each.reduce((sum, { counts }) => sum + counts.inconclusive, 0),
    not_applicable: each.reduce((sum, { counts }) => sum + counts.not_applicable, 0),
    trials: each.reduce((sum, { counts }) => sum + counts.total, 0),
    utility: utilityOf(attacks.flatMap(({ trials }) => trials)),
  })
}

/** Counts inconclusive runs. An attack without trials counts as one run. */
export function countErrors(attacks: readonly Pick<AttackResults, 'outcome' | 'trials'>[]): number {
  const runs = attacks.flatMap(({ outcome, trials }) =>
    trials.length === 0 ? outcome : trials.map((of) => of.outcome),
  )
  return runs.filter((outcome) => outcome === 'inconclusive').length
}

/** Returns the share of runs that completed the user's task; undefined if no run is conclusive. */
export function utilityOf(trials: readonly Trial[]): Proportion | undefined {
  const conclusive = trials.filter(hasTaskResult)
  return proportionOf(conclusive.filter(taskDone).length, conclusive.length)
}
