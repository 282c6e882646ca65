import type { Outcome } from '@joust/results'
import { describe, expect, test } from 'vitest'
import { firstTrials, mostTrials, type TrialPlan, wantedRuns, wantedTrials } from '../src/plan.ts'

const letters: Record<string, Outcome> = {
  e: 'exploited',
  p: 'partial',
  x: 'inconclusive',
  n: 'resisted',
  '-': 'not_applicable',
}
const runs = (text: string) => [...text].map((letter) => ({ outcome: letters[letter] ?? 'resisted' }))
const wanted = (plan: TrialPlan, attack: string) => {
  const { attack: trials, placebo } = wantedTrials(plan, { attack: runs(attack), placebo: [], sensitivity: [] })
  return [trials, placebo]
}

describe('a fixed number of trials', () => {
  const plan: TrialPlan = { trials: 8, arms: 'placebo' }
  test.each([
    ['', 8, 0],
    ['nnxn', 8, 0],
    ['e', 8, 5],
    ['nnp', 8, 5],
  ])('after %s', (done, attack, placebo) => expect(wanted(plan, done)).toEqual([attack, placebo]))

  test('has as many placebo trials, five at most, or none', () => {
    expect(wanted({ ...plan, trials: 1 }, 'e')).toEqual([1, 1])
    expect(wanted({ ...plan, arms: 'none' }, 'e')).toEqual([8, 0])
    expect(mostTrials(plan)).toEqual({ attack: 8, placebo: 5, sensitivity: 0 })
  })
})

describe('trials until a question is answered', () => {
  const plan: TrialPlan = { trials: { limit: 0.15, most: 25 }, arms: 'placebo' }
  test.each([
    ['', 3, 0],
    ['eee', 3, 3],
    ['n'.repeat(22), 22, 0],
    ['-', 1, 0],
    ['xxx', 3, 0],
    [`${'n'.repeat(12)}e${'n'.repeat(12)}`, 25, 5],
  ])('after %s', (done, attack, placebo) => expect(wanted(plan, done)).toEqual([attack, placebo]))

  test('replace inconclusive ones', () => {
    expect(wanted(plan, 'xn')[0]).toBe((wanted(plan, 'n')[0] ?? 0) + 1)
  })

  test('never run more than the fastest decision needs', () => {
    let done = ''
    while ((wanted(plan, done)[0] ?? 0) > done.length) done += 'n'
    expect(done).toHaveLength(22)
  })

  test('start with the first batch and end at the limit', () => {
    expect([firstTrials(plan), mostTrials(plan).attack]).toEqual([3, 25])
    expect(wanted({ ...plan, trials: { limit: 0.15, most: 2 } }, 'nn')[0]).toBe(2)
  })
})

test.each([{ filtered: true }, { unread: true }, { unspecific: true }] as const)(
  'a run that %j calls for a placebo',
  (controls) => {
    const attack = [{ outcome: 'inconclusive' as const, controls }]
    expect(wantedTrials({ trials: 1, arms: 'placebo' }, { attack, placebo: [], sensitivity: [] }).placebo).toBe(1)
  },
)

test('with `unspecific`, only a document that needs no obedient agent has a placebo', () => {
  const placebos = (attack: Parameters<typeof wantedTrials>[1]['attack']) =>
    wantedTrials({ trials: 1, arms: 'unspecific' }, { attack, placebo: [], sensitivity: [] }).placebo
  expect(placebos([{ outcome: 'exploited' }])).toBe(0)
  expect(placebos([{ outcome: 'exploited', controls: { unspecific: true } }])).toBe(1)
})

test.each([
  ['resisted', 1],
  ['inconclusive', 1],
  ['not_applicable', 0],
] as const)('with `all`, an attack that is %s has %i placebo', (outcome, placebos) => {
  const results = { attack: [{ outcome }], placebo: [], sensitivity: [] }
  expect(wantedTrials({ trials: 1, arms: 'all' }, results).placebo).toBe(placebos)
})

test('lists the runs of both arms, without a placebo that cannot be made', () => {
  const attack = { campaign: 'c', target: 't', file: 'a', fingerprint: 'f' }
  const results = { attack: runs('e'), placebo: [], sensitivity: [] }
  const list = (hasPlacebo: boolean) =>
    wantedRuns({ trials: 2, arms: 'placebo' }, attack, results, () => hasPlacebo).map(
      ({ arm, trial }) => `${arm} ${trial}`,
    )
  expect(list(true)).toEqual(['attack 1', 'attack 2', 'placebo 1', 'placebo 2'])
  expect(list(false)).toEqual(['attack 1', 'attack 2'])
})
