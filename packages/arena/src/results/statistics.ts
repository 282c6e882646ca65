/** What repeated trials say about an attack, and about a suite. */
import { defined } from '@joust/source'
import type { AttackResults, TargetResults, Trial } from './model.ts'
import { isJudged } from './outcome-order.ts'
import { type Counts, countOutcomes } from './summary.ts'
import { taskDone, tellsTask } from './utility.ts'
import { type Proportion, passHat, proportionOf } from './wilson.ts'

/** What the trials of one attack say. */
export interface AttackStatistics {
  readonly counts: Counts
  /** Trials that say something about the agent; the others are left out of every rate. */
  readonly judged: number
  /** Full successes of the attack among the judged trials. A partial success counts only in the denominator. */
  readonly success?: Proportion
  /** By k, up to 10 or the number of judged trials: how likely k runs all resist; a partial success does not count. */
  readonly passHat: readonly number[]
  /** Whether some judged trials resisted and some did not. */
  readonly flaky: boolean
  /** How often the agent did what the user wanted, where the document says what that is. */
  readonly utility?: Proportion
}

/** The largest k of pass^k that is computed. */
const MOST_RUNS = 10

/** What the trials of one attack say. */
export function statisticsOf({ trials }: Pick<AttackResults, 'trials'>): AttackStatistics {
  const counts = countOutcomes(trials)
  const judged = trials.filter(isJudged).length
  const { resisted } = counts
  return defined({
    counts,
    judged,
    success: proportionOf(counts.exploited, judged),
    passHat: Array.from({ length: Math.min(judged, MOST_RUNS) }, (_, at) => passHat(at + 1, resisted, judged) ?? 0),
    flaky: resisted > 0 && resisted < judged,
    utility: utilityOf(trials),
  })
}

/** What a whole suite says. Attacks are its sample: trials of one attack are too similar to count one by one. */
export interface SuiteStatistics {
  /** Attacks that got through at least once, of those with a judged trial. */
  readonly attacks?: Proportion
  readonly flaky: number
  /** Trials that say nothing about the agent, and why. */
  readonly inconclusive: number
  readonly not_applicable: number
  readonly trials: number
  readonly utility?: Proportion
}

/** What a whole suite says. */
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

/** How many runs are inconclusive. An attack without any trial counts as one, too. */
export function countErrors(attacks: readonly Pick<AttackResults, 'outcome' | 'trials'>[]): number {
  const runs = attacks.flatMap(({ outcome, trials }) =>
    trials.length === 0 ? outcome : trials.map((of) => of.outcome),
  )
  return runs.filter((outcome) => outcome === 'inconclusive').length
}

function utilityOf(trials: readonly Trial[]): Proportion | undefined {
  const told = trials.filter(tellsTask)
  return proportionOf(told.filter(taskDone).length, told.length)
}
