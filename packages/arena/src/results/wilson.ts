/** The Wilson score interval: rates from few trials, and how sure one can be of them. */

/** A share, with the interval that holds the true rate 95 times out of 100. */
export interface Proportion {
  readonly hits: number
  readonly of: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The normal quantile of 97.5 %. */
const Z = 1.959963984540054

/** A rate with its 95 % interval by Wilson's score method; undefined when `of` is 0. */
export function proportionOf(hits: number, of: number): Proportion | undefined {
  if (!(of > 0) || hits < 0 || hits > of) return undefined
  const rate = hits / of
  const shrink = 1 + (Z * Z) / of
  const centre = (rate + (Z * Z) / (2 * of)) / shrink
  const half = (Z / shrink) * Math.sqrt((rate * (1 - rate)) / of + (Z * Z) / (4 * of * of))
  // At 0 % and 100 % the interval reaches the end exactly; rounding must not say otherwise.
  return {
    hits,
    of,
    rate,
    low: hits === 0 ? 0 : Math.max(0, centre - half),
    high: hits === of ? 1 : Math.min(1, centre + half),
  }
}

/**
 * pass^k: how likely it is that k further runs all go well, judging by `good` of `of` runs. Unbiased: the share of all
 * choices of k among these runs that contain only good ones. Undefined when there are fewer runs than k.
 */
export function passHat(k: number, good: number, of: number): number | undefined {
  if (!Number.isInteger(k) || k < 1 || k > of || good < 0 || good > of) return undefined
  let share = 1
  for (let index = 0; index < k; index++) share *= Math.max(0, good - index) / (of - index)
  return share
}
