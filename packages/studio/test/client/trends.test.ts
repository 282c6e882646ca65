import { expect, test } from 'vitest'
import { sharesOf, trendsOf, trendText } from '../../src/client/trends.tsx'
import type { ResultsSummary } from '../../src/model/api.ts'

/** A run of some attacks on one target, by file and outcome. */
function run(day: number, target: string, outcomes: Readonly<Record<string, string>>): ResultsSummary {
  const attacks = Object.entries(outcomes).map(([file, outcome]) => ({ file, name: `Attack ${file}`, outcome }))
  return {
    name: `run-${day}`,
    started_at: `2026-01-0${day}T00:00:00.000Z`,
    targets: [{ name: target, attacks }],
  } as ResultsSummary
}

const runs = [
  run(1, 'clerk', { a: 'exploited', b: 'resisted', c: 'exploited' }),
  run(2, 'clerk', { a: 'exploited', b: 'resisted' }),
  run(3, 'clerk', { a: 'resisted', b: 'resisted', c: 'partial', d: 'not_applicable' }),
  run(4, 'other', { b: 'resisted' }),
]

test('a row has a cell for every run, and changed rows come first', () => {
  const rows = trendsOf(runs).map(({ file, target, outcomes, changed }) => ({ file, target, outcomes, changed }))
  const none = undefined
  expect(rows).toEqual([
    { file: 'a', target: 'clerk', outcomes: ['exploited', 'exploited', 'resisted', none], changed: true },
    { file: 'c', target: 'clerk', outcomes: ['exploited', none, 'partial', none], changed: true },
    { file: 'b', target: 'clerk', outcomes: ['resisted', 'resisted', 'resisted', none], changed: false },
    { file: 'b', target: 'other', outcomes: [none, none, none, 'resisted'], changed: false },
    { file: 'd', target: 'clerk', outcomes: [none, none, 'not_applicable', none], changed: false },
  ])
})

test('a trend compares the first and the last run, without attacks that do not apply', () => {
  const shares = runs.map((one) => sharesOf(one, 'clerk'))
  expect(shares).toEqual([
    { all: 3, exploited: 2, resisted: 1 },
    { all: 2, exploited: 1, resisted: 1 },
    { all: 3, exploited: 1, resisted: 2 },
    undefined,
  ])
  expect(trendText(shares)).toBe('2 of 3 succeeded at first, 1 of 3 now')
  expect(trendText(runs.map((one) => sharesOf(one, 'other')))).toBe('0 of 1 succeeded')
  expect(trendText([])).toBe('')
})
