/** Wilson score intervals and pass^k. */

/** A rate with its 95 % confidence interval. */
export interface Proportion {
  readonly hits: number
  readonly of: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054

/**
 * Computes a rate with its Wilson score interval. Returns undefined if `of` is 0.
 *
 * @example
 * const { rate, low, high } = proportionOf(3, 20) ?? {}
 */
export function proportionOf(hits: number, of: number): Proportion | undefined {
  if (!(of > 0) || hits < 0 || hits > of) return undefined
  const rate = hits / of
  const shrink = 1 + (Z * Z) / of
  const centre = (rate + (Z * Z) / (2 * of)) / shrink
  const half = (Z / shrink) * Math.sqrt((rate * (1 - rate)) / of + (Z * Z) / (4 * of * of))
  // Exactly 0 and 1 at the limits, regardless of rounding.
  return {
    hits,
    of,
    rate,
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === of ? 1 : Math.min(1, centre + half),
  }
}

/**
 * Estimates pass^k, the probability that k runs are all good, from `good` of `of` runs. The unbiased estimate is the
 * share of k-subsets of the runs that contain only good ones. Returns undefined for fewer than k runs.
 */
export function passHat(k: number, good: number, of: number): number | undefined {
  if (!Number.isInteger(k) || k < 1 || k > of || good < 0 || good > of) return undefined
  let share = 1
  for (let index = 0; index < k; index++) share *= Math.max(0, good - index) / (of - index)
  return share
}
