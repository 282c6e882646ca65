/** The difference of two rates. */
import { proportionOf } from './wilson.ts'

/** A difference of rates with its 95 % confidence interval. */
interface Difference {
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** Trials in which an event happened, of all conclusive trials. */
export interface Tally {
  readonly hits: number
  readonly of: number
}

/**
 * Computes the rate of `first` minus the rate of `second` with Newcombe's hybrid score interval (Newcombe 1998, method
 * 10), which combines the Wilson intervals of both rates. Where the number of trials was not fixed, `interval` has to be an
 * always-valid one. Undefined if a side has no trials.
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
