/** Confidence intervals that are valid after every trial, so that trials may be stopped at any time. */
import type { Proportion } from './wilson.ts'

const ALPHA = 0.05

/**
 * Computes a rate with its always-valid 95 % interval: the probability that the interval excludes the true rate after
 * any number of trials is at most 5 %. Returns undefined if `of` is 0.
 *
 * The interval is the beta-binomial mixture (Robbins 1970) with Jeffreys' prior. For the true rate p, the mixture of
 * likelihoods over all rates, divided by the likelihood of p, is a martingale that starts at 1, so the probability that
 * it ever reaches 1/alpha is at most alpha (Ville). The interval contains the rates for which it is below 1/alpha.
 */
export function alwaysValid(hits: number, of: number): Proportion | undefined {
  if (!(of > 0) || hits < 0 || hits > of) return undefined
  const rate = hits / of
  const least = logMixture(hits, of - hits) + Math.log(ALPHA)
  const isInside = (p: number) => xlogy(hits, p) + xlogy(of - hits, 1 - p) > least
  return {
    hits,
    of,
    rate,
    low: hits === 0 ? 0 : edge(isInside, rate, 0),
    high: hits === of ? 1 : edge(isInside, rate, 1),
  }
}

/** Number of bisection steps. Doubles have 53 significant bits. */
const STEPS = 53

/** Returns the bound of an interval, between a rate inside and a rate outside of it, rounded outward. */
function edge(isInside: (p: number) => boolean, inside: number, outside: number): number {
  let [inner, outer] = [inside, outside]
  for (let step = 0; step < STEPS; step++) {
    const middle = (inner + outer) / 2
    if (isInside(middle)) inner = middle
    else outer = middle
  }
  return outer
}

/**
 * Returns the logarithm of B(hits + ½, misses + ½) / B(½, ½) as a sum over the trials: the mixture predicts a hit with
 * probability (hits + ½) / (trials + 1).
 */
function logMixture(hits: number, misses: number): number {
  let sum = 0
  for (let hit = 0; hit < hits; hit++) sum += Math.log((hit + 0.5) / (hit + 1))
  for (let miss = 0; miss < misses; miss++) sum += Math.log((miss + 0.5) / (hits + miss + 1))
  return sum
}

function xlogy(x: number, y: number): number {
  return x === 0 ? 0 : x * Math.log(y)
}
