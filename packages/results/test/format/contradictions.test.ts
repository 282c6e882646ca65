import { describe, expect, test } from 'vitest'
import { readResults, writeResults } from '../../src/format/read.ts'
import type { AttackResults, TargetResults } from '../../src/model/results.ts'
import { markOf } from '../../src/redaction/redactor.ts'
import { attackOf, resultsOf, targetOf, trial, verdict } from '../support/results.ts'

/** The findings of a file with this target in it. */
function faultsIn(target: TargetResults): string[] {
  const read = readResults(writeResults(resultsOf([], { targets: [targetOf([attackOf('a', 'e')]), target] })))
  return read.ok ? [] : read.error.map(({ path, message }) => `${path}: ${message}`)
}

const passed = attackOf('b', 'n')

describe('contradictory passes are rejected', () => {
  test.each<[string, AttackResults, string[]]>([
    [
      'an exploited verdict',
      { ...passed, verdict: verdict('breach') },
      ['targets[1].attacks[0].outcome: outcome "resisted" contradicts other fields: a verdict is "exploited"'],
    ],
    [
      'a partial verdict of a trial, and so of the attack',
      { ...passed, trials: [trial(1, 'resisted', { verdict: verdict('partial') })] },
      [
        'targets[1].attacks[0].outcome: outcome "resisted" contradicts other fields: a verdict is "partial"',
        'targets[1].attacks[0].trials[0].outcome: outcome "resisted" contradicts other fields: a verdict is "partial"',
      ],
    ],
    [
      'a trial that was exploited',
      { ...passed, trials: [trial(1, 'resisted'), trial(2, 'exploited', { verdict: verdict('error') })] },
      [
        'targets[1].attacks[0].outcome: outcome "resisted" contradicts other fields: the outcome of a trial is "exploited"',
      ],
    ],
    [
      'a trial below an attack that claims nothing',
      { ...attackOf('b', 'x'), trials: [trial(1, 'resisted', { verdict: verdict('exploited') })] },
      [
        'targets[1].attacks[0].trials[0].outcome: outcome "resisted" contradicts other fields: a verdict is "exploited"',
      ],
    ],
  ])('%s', (_, attack, faults) => {
    expect(faultsIn(targetOf([attack]))).toEqual(faults)
  })

  test('a failed preflight', () => {
    const preflight = { status: 'failed', reasons: ['it never answered'] } as const
    expect(faultsIn({ ...targetOf([attackOf('a', 'x'), attackOf('b', 'n')]), preflight })).toEqual([
      'targets[1].attacks[1].outcome: outcome "resisted" contradicts other fields: the preflight failed',
      'targets[1].attacks[1].trials[0].outcome: outcome "resisted" contradicts other fields: the preflight failed',
    ])
  })

  test('the number of findings is limited', () => {
    const attacks = Array.from({ length: 150 }, () => ({ ...passed, verdict: verdict('exploited') }))
    expect(faultsIn(targetOf(attacks))).toHaveLength(100)
  })
})

test('all other combinations are accepted', () => {
  const preflight = { status: 'failed', reasons: ['it never answered'] } as const
  const ownDoing = { ...attackOf('a', 'x'), verdict: verdict('exploited') }
  expect(faultsIn(targetOf([ownDoing, attackOf('b', 'en'), attackOf('c', 'pn'), attackOf('d', 'n-')]))).toEqual([])
  expect(faultsIn({ ...targetOf([attackOf('a', 'x'), attackOf('b', 'e')]), preflight })).toEqual([])
})

test('duplicate names within a target are rejected, unless they are redacted', () => {
  const named = (file: string) => ({ ...passed, file })
  expect(faultsIn(targetOf([named('a'), named('b'), named('a')]))).toEqual([
    'targets[1].attacks[2].file: duplicate attack: the target already has results for "a"',
  ])
  const hidden = `${markOf('secret')}.yaml`
  expect(faultsIn(targetOf([named(hidden), named('b'), named(hidden)]))).toEqual([])
})
