/** Statistics of attacks and suites over repeated trials. */
import { defined } from '@joust/source'
import { isJudged } from '../model/outcome-order.ts'
import type { AttackResults, TargetResults, Trial } from '../model/results.ts'
import { alwaysValid } from './confidence-sequence.ts'
import { type Counts, countOutcomes } from './summary.ts'
import { taskDone, tellsTask } from './utility.ts'
import { type Proportion, passHat, proportionOf } from './wilson.ts'

/** The statistics of one attack. */
export interface AttackStatistics {
  readonly counts: Counts
  /** Conclusive trials; the others are excluded from all rates. */
  readonly judged: number
  /** The rate of full successes; partial successes count as trials only. */
  readonly success?: Proportion
  /** True if the number of trials was not fixed; the interval of `success` is then valid at any stopping time. */
  readonly sequential: boolean
  /** pass^k for k from 1 to 10, or to the number of judged trials: the probability that k runs all resist. */
  readonly passHat: readonly number[]
  /** True if some judged trials resisted and others did not. */
  readonly flaky: boolean
  /** The rate of completed user tasks, if the document has one. */
  readonly utility?: Proportion
}

/** The largest k of pass^k. */
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

/** The statistics of a suite. The sample consists of its attacks, because trials of one attack are not independent. */
export interface SuiteStatistics {
  /** The rate of attacks that succeeded at least once, among those with a judged trial. */
  readonly attacks?: Proportion
  readonly flaky: number
  /** The number of inconclusive trials. */
  readonly inconclusive: number
  readonly not_applicable: number
  readonly trials: number
  readonly utility?: Proportion
}

/** Computes the statistics of a suite. */
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

/** Counts the inconclusive runs. An attack without trials counts as one. */
export function countErrors(attacks: readonly Pick<AttackResults, 'outcome' | 'trials'>[]): number {
  const runs = attacks.flatMap(({ outcome, trials }) =>
    trials.length === 0 ? outcome : trials.map((of) => of.outcome),
  )
  return runs.filter((outcome) => outcome === 'inconclusive').length
}

/** The share of runs in which the agent did the user's task; undefined without a conclusive one. */
export function utilityOf(trials: readonly Trial[]): Proportion | undefined {
  const conclusive = trials.filter(tellsTask)
  return proportionOf(conclusive.filter(taskDone).length, conclusive.length)
}
