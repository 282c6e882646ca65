/** Exact, two-sided tests for changes between two sets of trials, for attacks and user tasks. */
import { alwaysValid } from './confidence-sequence.ts'
import type { Proportion } from './wilson.ts'

export interface ChangeTest {
  readonly name: 'mcnemar' | 'fisher'
  readonly p: number
}

/** A change between two sides. `test` is absent if there are too few trials for a test. */
export interface Change {
  readonly direction: 'more' | 'less' | 'none'
  readonly test?: ChangeTest
}

/** The observations from conclusive trials, by trial number. */
export type Observations = ReadonlyMap<number, boolean>

export interface ChangeOptions {
  /** True if both sides ran the same trial numbers. */
  readonly paired: boolean
  readonly alpha: number
}

/**
 * Returns the change between two sides. The change must be significant: in McNemar's test over pairs of trials if both
 * sides ran the same trials, otherwise in Fisher's exact test. If there are too few trials for a significant result,
 * only a change between always and never counts.
 */
export function changeOf(before: Observations, after: Observations, { paired, alpha }: ChangeOptions): Change {
  const old = counted(before)
  const now = counted(after)
  if (old.of === 0 || now.of === 0) return { direction: 'none' }
  const { count, begun, ended } = pairsOf(before, after)
  const difference = paired && count > 0 ? begun - ended : now.yes / now.of - old.yes / old.of
  const direction = difference === 0 ? 'none' : difference > 0 ? 'more' : 'less'
  // The smallest p-value that this number of trials can reach.
  const smallest = paired ? mcNemar(count, 0) : fisher({ yes: old.of, no: 0 }, { yes: 0, no: now.of })
  if (smallest > alpha) {
    const swept = (old.no === 0 && now.yes === 0) || (old.yes === 0 && now.no === 0)
    return { direction: swept ? direction : 'none' }
  }
  const test: ChangeTest = paired
    ? { name: 'mcnemar', p: mcNemar(begun, ended) }
    : { name: 'fisher', p: fisher(old, now) }
  return { direction: test.p > alpha ? 'none' : direction, test }
}

/** Returns the change if the number of trials was not fixed. The always-valid intervals must not overlap. */
export function sequentialChange(before: Observations, after: Observations): Change {
  const [old, now] = [intervalOf(before), intervalOf(after)]
  if (old === undefined || now === undefined) return { direction: 'none' }
  return { direction: now.low > old.high ? 'more' : now.high < old.low ? 'less' : 'none' }
}

/** Returns the always-valid interval of the rate; undefined if there are no conclusive trials. */
export function intervalOf(observations: Observations): Pick<Proportion, 'low' | 'high'> | undefined {
  const { yes, of } = counted(observations)
  const interval = alwaysValid(yes, of)
  return interval && { low: interval.low, high: interval.high }
}

/** Counts the trials that are conclusive on both sides, and those that changed to true (`begun`) or false (`ended`). */
export function pairsOf(before: Observations, after: Observations): { count: number; begun: number; ended: number } {
  const pairs = { count: 0, begun: 0, ended: 0 }
  for (const [trial, now] of after) {
    const then = before.get(trial)
    if (then === undefined) continue
    pairs.count += 1
    if (now && !then) pairs.begun += 1
    if (then && !now) pairs.ended += 1
  }
  return pairs
}

function counted(observations: Observations): { yes: number; no: number; of: number } {
  const yes = [...observations.values()].filter((happened) => happened).length
  return { yes, no: observations.size - yes, of: observations.size }
}

/** Returns the p-value of McNemar's exact (binomial) test, given the pairs that changed in each direction. */
export function mcNemar(oneWay: number, otherWay: number): number {
  const pairs = oneWay + otherWay
  if (pairs === 0) return 1
  const logs = logFactorials(pairs)
  let tail = 0
  for (let index = 0; index <= Math.min(oneWay, otherWay); index++)
    tail += Math.exp(logChoose(logs, pairs, index) - pairs * Math.LN2)
  return Math.min(1, 2 * tail)
}

/** The number of trials with and without the observation. */
interface Tally {
  readonly yes: number
  readonly no: number
}

/** Rounding tolerance, so that tables as likely as the observed one are included. */
const TIE = 1 + 1e-7

/** Returns the p-value of Fisher's exact test for two groups. */
export function fisher(first: Tally, second: Tally): number {
  const size = first.yes + first.no
  const yes = first.yes + second.yes
  const all = size + second.yes + second.no
  const logs = logFactorials(all)
  const likelihood = (among: number) =>
    Math.exp(logChoose(logs, yes, among) + logChoose(logs, all - yes, size - among) - logChoose(logs, all, size))
  const observed = likelihood(first.yes)
  let sum = 0
  for (let among = Math.max(0, size - (all - yes)); among <= Math.min(size, yes); among++) {
    const chance = likelihood(among)
    if (chance <= observed * TIE) sum += chance
  }
  return Math.min(1, sum)
}

function logFactorials(most: number): readonly number[] {
  const logs = [0]
  for (let number = 1; number <= most; number++) logs.push((logs[number - 1] ?? 0) + Math.log(number))
  return logs
}

function logChoose(logs: readonly number[], from: number, choose: number): number {
  return (logs[from] ?? 0) - (logs[choose] ?? 0) - (logs[from - choose] ?? 0)
}
