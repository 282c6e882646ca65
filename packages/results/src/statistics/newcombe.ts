import { proportionOf } from './wilson.ts'

/** A difference of two rates. `low` and `high` are the bounds of the 95 % confidence interval. */
interface Difference {
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** The number of trials with an event, among all conclusive trials. */
export interface Tally {
  readonly hits: number
  readonly of: number
}

/**
 * Returns the rate of `first` minus the rate of `second` with Newcombe's hybrid score interval (Newcombe 1998, method
 * 10), which combines the Wilson intervals of both rates. If the number of trials was not fixed, `interval` must be
 * always-valid. Undefined if a side has no trials.
 */
export function differenceOf(first: Tally, second: Tally, interval = proportionOf): Difference | undefined {
  const one = interval(first.hits, first.of)
  const other = interval(second.hits, second.of)
  if (one === undefined || other === undefined) return undefined
  const difference = one.rate - other.rate
  return {
    difference,
    low: difference - Math.hypot(one.rate - one.low, other.high - other.rate),
    high: difference + Math.hypot(one.high - one.rate, other.rate - other.low),
  }
}
