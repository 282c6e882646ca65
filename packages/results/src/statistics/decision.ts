/** Decides questions about a success rate after any trial, with sequential tests based on e-processes. */
import { isJudged } from '../model/outcome-order.ts'
import type { Answer, ResultDecision, Trial } from '../model/results.ts'
import type { Tally } from './newcombe.ts'

/** Required evidence. Each answer is wrong in at most 5 % of all campaigns, at any stopping time. */
const DECISIVE = Math.log(20)

/** Alternative rates below the limit, as fractions of the limit. */
const BELOW = [0, 0.02, 0.1, 0.3, 0.6]

/** Alternative rates above the limit, as fractions of the distance from the limit to 1. */
const ABOVE = [0.02, 0.05, 0.15, 0.4, 0.8]

/** Decides whether a rate is below a limit between 0 and 1. */
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

/** Formats the question of `--decide`: is the success rate of an attack below the limit? */
export function questionOf(limit: number): string {
  // Limited to 12 digits, so that 0.07 becomes 7 and not 7.000000000000001.
  return `asr<${Number((limit * 100).toPrecision(12))}%`
}

/** Counts the full successes of an attack among its conclusive trials. */
export function tallyOf(trials: readonly Pick<Trial, 'outcome'>[]): Tally {
  const judged = trials.filter(isJudged)
  return { hits: judged.filter(({ outcome }) => outcome === 'exploited').length, of: judged.length }
}

/** Decides whether the success rate of an attack is below a limit. */
export function decisionOf(limit: number, trials: readonly Pick<Trial, 'outcome'>[]): ResultDecision {
  const tally = tallyOf(trials)
  const answer = decide(limit, tally)
  const more = answer === 'undecided' ? cleanTrialsNeeded(limit, tally) : 0
  return { question: questionOf(limit), answer, trials: tally.of, more }
}

/** Returns the number of further trials that would decide the question with `yes` if none of them succeeds. */
export function cleanTrialsNeeded(limit: number, tally: Tally): number {
  return fewest((more) => decide(limit, { hits: tally.hits, of: tally.of + more }) === 'yes')
}

/** Returns the minimum number of further trials that can decide the question; 0 once it is decided. */
export function trialsToDecide(limit: number, tally: Tally): number {
  if (decide(limit, tally) !== 'undecided') return 0
  const { hits, of } = tally
  const toNo = fewest((more) => decide(limit, { hits: hits + more, of: of + more }) === 'no')
  return Math.min(toNo, cleanTrialsNeeded(limit, tally))
}

/** Returns the smallest number for which a condition holds. The condition must be monotonic. */
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

/** Returns the logarithm of the mean likelihood ratio of the alternatives to the limit. */
function evidence(limit: number, rates: readonly number[], { hits, of }: Tally): number {
  const logs = rates.map(
    (rate) => times(hits, Math.log(rate / limit)) + times(of - hits, Math.log((1 - rate) / (1 - limit))),
  )
  const most = Math.max(...logs)
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / rates.length)
}

/** Multiplies trials by a logarithm. Returns 0 if there are no trials, even if the logarithm is infinite. */
function times(trials: number, log: number): number {
  return trials === 0 ? 0 : trials * log
}
