import { describe, expect, test } from 'vitest'
import type { AttackResults, TargetResults } from '../../src/results/model.ts'
import { readResults, writeResults } from '../../src/results/read.ts'
import { attackOf, resultsOf, targetOf, trial, verdict } from '../support/results.ts'

/** The findings of a file with this target in it. */
function faultsIn(target: TargetResults): string[] {
  const read = readResults(writeResults(resultsOf([], { targets: [targetOf([attackOf('a', 'e')]), target] })))
  return read.ok ? [] : read.error.map(({ path, message }) => `${path}: ${message}`)
}

const passed = attackOf('b', 'n')

describe('a pass that its own results disprove is not read', () => {
  test.each<[string, AttackResults, string[]]>([
    [
      'an exploited verdict',
      { ...passed, verdict: verdict('breach') },
      ['targets[1].attacks[0].outcome: the outcome is "resisted", but a verdict is "exploited"'],
    ],
    [
      'a partial verdict of a trial, and so of the attack',
      { ...passed, trials: [trial(1, 'resisted', { verdict: verdict('partial') })] },
      [
        'targets[1].attacks[0].outcome: the outcome is "resisted", but a verdict is "partial"',
        'targets[1].attacks[0].trials[0].outcome: the outcome is "resisted", but a verdict is "partial"',
      ],
    ],
    [
      'a trial that was exploited',
      { ...passed, trials: [trial(1, 'resisted'), trial(2, 'exploited', { verdict: verdict('error') })] },
      ['targets[1].attacks[0].outcome: the outcome is "resisted", but a trial is "exploited"'],
    ],
    [
      'a trial below an attack that claims nothing',
      { ...attackOf('b', 'x'), trials: [trial(1, 'resisted', { verdict: verdict('exploited') })] },
      ['targets[1].attacks[0].trials[0].outcome: the outcome is "resisted", but a verdict is "exploited"'],
    ],
  ])('%s', (_, attack, faults) => {
    expect(faultsIn(targetOf([attack]))).toEqual(faults)
  })

  test('a failed control', () => {
    const control = { status: 'failed', reasons: ['it never answered'] } as const
    expect(faultsIn({ ...targetOf([attackOf('a', 'x'), attackOf('b', 'n')]), control })).toEqual([
      'targets[1].attacks[1].outcome: the outcome is "resisted", but the control of the target failed',
      'targets[1].attacks[1].trials[0].outcome: the outcome is "resisted", but the control of the target failed',
    ])
  })

  test('no more findings than fit on a page', () => {
    const attacks = Array.from({ length: 150 }, () => ({ ...passed, verdict: verdict('exploited') }))
    expect(faultsIn(targetOf(attacks))).toHaveLength(100)
  })
})

test('every other combination is read', () => {
  const control = { status: 'failed', reasons: ['it never answered'] } as const
  const ownDoing = { ...attackOf('a', 'x'), verdict: verdict('exploited') }
  expect(faultsIn(targetOf([ownDoing, attackOf('b', 'en'), attackOf('c', 'pn'), attackOf('d', 'n-')]))).toEqual([])
  expect(faultsIn({ ...targetOf([attackOf('a', 'x'), attackOf('b', 'e')]), control })).toEqual([])
})
