/** Decisions about a success rate that may be taken after any trial: sequential tests by e-processes. */
import { isJudged } from '../model/outcome-order.ts'
import type { Answer, ResultDecision, Trial } from '../model/results.ts'
import type { Tally } from './newcombe.ts'

/** The evidence that decides: each answer is wrong in at most 5 % of all campaigns, at any stopping time. */
const DECISIVE = Math.log(20)

/** Alternatives below the limit, as shares of it. */
const BELOW = [0, 0.02, 0.1, 0.3, 0.6]

/** Alternatives above the limit, as shares of the way from it to 1. */
const ABOVE = [0.02, 0.05, 0.15, 0.4, 0.8]

/** Answers the question whether a rate is below a limit between 0 and 1. */
export function decide(limit: number, tally: Tally): Answer {
  if (
    evidence(
      limit,
      BELOW.map((share) => share * limit),
      tally,
    ) >= DECISIVE
  )
    return 'yes'
  const above = ABOVE.map((share) => limit + share * (1 - limit))
  return evidence(limit, above, tally) >= DECISIVE ? 'no' : 'undecided'
}

/** A limit on the success rate of an attack, to be decided by trials (`--decide`). */
export function questionOf(limit: number): string {
  // At most 12 digits, so that 0.07 gives 7 and not 7.000000000000001.
  return `asr<${Number((limit * 100).toPrecision(12))}%`
}

/** Counts the full successes of an attack among its conclusive trials. */
export function tallyOf(trials: readonly Pick<Trial, 'outcome'>[]): Tally {
  const judged = trials.filter(isJudged)
  return { hits: judged.filter(({ outcome }) => outcome === 'exploited').length, of: judged.length }
}

/** Answers the question for the trials of an attack. */
export function decisionOf(limit: number, trials: readonly Pick<Trial, 'outcome'>[]): ResultDecision {
  const tally = tallyOf(trials)
  const answer = decide(limit, tally)
  const more = answer === 'undecided' ? cleanTrialsNeeded(limit, tally) : 0
  return { question: questionOf(limit), answer, trials: tally.of, more }
}

/** The number of further trials, all without a hit, after which the answer is yes. */
export function cleanTrialsNeeded(limit: number, tally: Tally): number {
  return fewest((more) => decide(limit, { hits: tally.hits, of: tally.of + more }) === 'yes')
}

/** The minimum number of further trials that can decide the question; 0 once it is decided. */
export function trialsToDecide(limit: number, tally: Tally): number {
  if (decide(limit, tally) !== 'undecided') return 0
  const { hits, of } = tally
  const toNo = fewest((more) => decide(limit, { hits: hits + more, of: of + more }) === 'no')
  return Math.min(toNo, cleanTrialsNeeded(limit, tally))
}

/** The smallest number from which on a property holds. */
function fewest(isEnough: (more: number) => boolean): number {
  if (isEnough(0)) return 0
  let high = 1
  while (!isEnough(high)) high *= 2
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** The logarithm of the mean likelihood ratio of the alternatives to the limit. */
function evidence(limit: number, rates: readonly number[], { hits, of }: Tally): number {
  const logs = rates.map(
    (rate) => times(hits, Math.log(rate / limit)) + times(of - hits, Math.log((1 - rate) / (1 - limit))),
  )
  const most = Math.max(...logs)
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / rates.length)
}

/** No trials give no evidence, even for a rate of 0, whose logarithm is infinite. */
function times(trials: number, log: number): number {
  return trials === 0 ? 0 : trials * log
}
