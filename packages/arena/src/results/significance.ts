/** Whether a difference is more than chance. Both tests are exact and two-sided. */

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

/** Two counts of successes and failures. */
interface Tally {
  readonly yes: number
  readonly no: number
}

/** Tables as likely as the observed one count with it, although rounding may put them slightly above. */
const TIE = 1 + 1e-7

/** Fisher's exact test for two groups: how likely a table at least as extreme as this one would be if there were no difference. */
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
