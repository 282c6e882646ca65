/**
 * Whether something happens more or less often than before, and whether that is more than chance: the one rule for
 * attacks and for the user's task. Both tests are exact and two-sided.
 */

/** The test that a change rests on. */
export interface ChangeTest {
  readonly name: 'mcnemar' | 'fisher'
  readonly p: number
}

/** Which way something changed; without a test where there are too few trials for one to be meaningful. */
export interface Change {
  readonly direction: 'more' | 'less' | 'none'
  readonly test?: ChangeTest
}

/** Whether it happened, by the number of the trial; trials that say nothing are left out. */
export type Observations = ReadonlyMap<number, boolean>

/** How two sides are compared. */
export interface ChangeOptions {
  /** Both sides ran the trials of the same numbers. */
  readonly paired: boolean
  /** The probability below which a difference does not count as chance. */
  readonly alpha: number
}

/**
 * A change counts when a test says that it is more than chance: McNemar's over the pairs of trials, where both sides
 * ran the same trials, however few of them remain; Fisher's where they did not. Where there are too few trials for the
 * test to be able to say anything, only the greatest possible change counts: from always to never, or the other way
 * round.
 */
export function changeOf(before: Observations, after: Observations, { paired, alpha }: ChangeOptions): Change {
  const old = counted(before)
  const now = counted(after)
  if (old.of === 0 || now.of === 0) return { direction: 'none' }
  const { count, begun, ended } = pairsOf(before, after)
  const difference = paired && count > 0 ? begun - ended : now.yes / now.of - old.yes / old.of
  const direction = difference === 0 ? 'none' : difference > 0 ? 'more' : 'less'
  // The most that this number of trials could show.
  const most = paired ? mcNemar(count, 0) : fisher({ yes: old.of, no: 0 }, { yes: 0, no: now.of })
  if (most > alpha) {
    const swept = (old.no === 0 && now.yes === 0) || (old.yes === 0 && now.no === 0)
    return { direction: swept ? direction : 'none' }
  }
  const test: ChangeTest = paired
    ? { name: 'mcnemar', p: mcNemar(begun, ended) }
    : { name: 'fisher', p: fisher(old, now) }
  return { direction: test.p > alpha ? 'none' : direction, test }
}

/** Pairs of trials with the same number that are conclusive on both sides: how many began to, how many no longer do. */
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

/**
 * McNemar's test for pairs: of the pairs that differ, `oneWay` went one way and `otherWay` the other. Exact, by the
 * binomial distribution; 1 for pairs that all agree.
 */
export function mcNemar(oneWay: number, otherWay: number): number {
  const pairs = oneWay + otherWay
  if (pairs === 0) return 1
  const logs = logFactorials(pairs)
  let tail = 0
  for (let index = 0; index <= Math.min(oneWay, otherWay); index++)
    tail += Math.exp(logChoose(logs, pairs, index) - pairs * Math.LN2)
  return Math.min(1, 2 * tail)
}

/** How often something happened, and how often it did not. */
interface Tally {
  readonly yes: number
  readonly no: number
}

/** Tables as likely as the observed one count with it, although rounding may put them slightly above. */
const TIE = 1 + 1e-7

/** Fisher's exact test for two groups: how likely a table at least this extreme would be without a difference. */
export function fisher(first: Tally, second: Tally): number {
  const size = first.yes + first.no
  const yes = first.yes + second.yes
  const all = size + second.yes + second.no
  const logs = logFactorials(all)
  const likelihood = (among: number) =>
    Math.exp(logChoose(logs, yes, among) + logChoose(logs, all - yes, size - among) - logChoose(logs, all, size))
  const seen = likelihood(first.yes)
  let sum = 0
  for (let among = Math.max(0, size - (all - yes)); among <= Math.min(size, yes); among++) {
    const chance = likelihood(among)
    if (chance <= seen * TIE) sum += chance
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
