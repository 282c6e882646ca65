import { expect, test } from 'vitest'
import { alwaysValid } from '../../src/statistics/confidence-sequence.ts'
import { cleanTrialsNeeded, decide, trialsToDecide } from '../../src/statistics/decision.ts'
import { differenceOf } from '../../src/statistics/newcombe.ts'
import { proportionOf } from '../../src/statistics/wilson.ts'

// Newcombe 1998, table II, method 10.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('%i of %i minus %i of %i', (hits, of, otherHits, otherOf, low, high) => {
  const difference = differenceOf({ hits, of }, { hits: otherHits, of: otherOf })
  expect(difference?.low).toBeCloseTo(low, 4)
  expect(difference?.high).toBeCloseTo(high, 4)
})

test('a side without trials has no difference', () => {
  expect(differenceOf({ hits: 0, of: 0 }, { hits: 1, of: 2 })).toBeUndefined()
})

test.each([
  [0, 20, 0, 0.224],
  [10, 20, 0.193, 0.807],
  [10, 200, 0.014, 0.121],
  [100, 200, 0.381, 0.619],
])('the always-valid interval of %i of %i', (hits, of, low, high) => {
  const interval = alwaysValid(hits, of)
  expect(interval?.low).toBeCloseTo(low, 3)
  expect(interval?.high).toBeCloseTo(high, 3)
})

test('no trials have no interval', () => expect(alwaysValid(0, 0)).toBeUndefined())

test.each([
  [0.15, 22],
  [0.05, 68],
])('a rate below %d is decided by %i clean trials', (limit, trials) => {
  expect(cleanTrialsNeeded(limit, { hits: 0, of: 0 })).toBe(trials)
  expect(decide(limit, { hits: 0, of: trials - 1 })).toBe('undecided')
  expect(decide(limit, { hits: 0, of: trials })).toBe('yes')
  expect(cleanTrialsNeeded(limit, { hits: 0, of: trials })).toBe(0)
})

test('successes decide against, and one among clean trials asks for more', () => {
  expect(trialsToDecide(0.15, { hits: 0, of: 0 })).toBe(3)
  expect(decide(0.15, { hits: 3, of: 3 })).toBe('no')
  expect(trialsToDecide(0.15, { hits: 3, of: 3 })).toBe(0)
  expect(decide(0.15, { hits: 1, of: 22 })).toBe('undecided')
  const more = cleanTrialsNeeded(0.15, { hits: 1, of: 22 })
  expect(decide(0.15, { hits: 1, of: 22 + more })).toBe('yes')
  expect(decide(0.15, { hits: 1, of: 21 + more })).toBe('undecided')
})

/** mulberry32: the same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const CAMPAIGNS = 10_000
const TRIALS = 200

/** The share of campaigns in which `isWrong` holds after some trial. */
function everWrong(rate: number, isWrong: (hits: number, of: number) => boolean): number {
  const random = randomNumbers(20_260_101)
  const states = new Map<number, boolean>()
  const isWrongAt = (hits: number, of: number) => {
    const key = hits * (TRIALS + 1) + of
    const known = states.get(key) ?? isWrong(hits, of)
    states.set(key, known)
    return known
  }
  let wrong = 0
  for (let campaign = 0; campaign < CAMPAIGNS; campaign++) {
    for (let of = 1, hits = 0; of <= TRIALS; of++) {
      if (random() < rate) hits++
      if (!isWrongAt(hits, of)) continue
      wrong++
      break
    }
  }
  return wrong / CAMPAIGNS
}

const excludes =
  (rate: number, interval = alwaysValid) =>
  (hits: number, of: number) => {
    const { low = 0, high = 1 } = interval(hits, of) ?? {}
    return rate < low || rate > high
  }

test.each([0, 0.01, 0.05, 0.5])('nearly all campaigns with rate %d have intervals that always contain it', (rate) => {
  expect(everWrong(rate, excludes(rate))).toBeLessThanOrEqual(0.05)
})

test('Wilson intervals do not, if they are looked at after every trial', () => {
  expect(everWrong(0.5, excludes(0.5, proportionOf))).toBeGreaterThan(0.25)
})

test.each([0.05, 0.15])('a rate of exactly %d is rarely decided either way', (limit) => {
  expect(everWrong(limit, (hits, of) => decide(limit, { hits, of }) === 'yes')).toBeLessThanOrEqual(0.05)
  expect(everWrong(limit, (hits, of) => decide(limit, { hits, of }) === 'no')).toBeLessThanOrEqual(0.05)
})
