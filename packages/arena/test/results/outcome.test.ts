import { describe, expect, test } from 'vitest'
import { attackVerdict, compareVerdicts } from '../../src/results/outcome.ts'
import { summaryOf } from '../../src/results/summary.ts'
import { attackOf, resultsOf, trial, verdict } from '../support/results.ts'

test('the order, from worst to best', () => {
  const worst = ['breach', 'action', 'exploited', 'partial', 'error', 'not_exploited'] as const
  const shuffled = [3, 0, 5, 1, 4, 2].map((index) => worst[index] ?? 'error')
  expect(shuffled.map(verdict).sort(compareVerdicts)).toEqual(worst.map(verdict))
  const ingested = { result: 'exploited', max_tier: 'ingested' } as const
  expect(compareVerdicts(ingested, { result: 'exploited' })).toBe(0)
})

describe('the verdict of an attack', () => {
  test.each([
    ['n', 'not_exploited'],
    ['nnx', 'error'],
    ['xpn', 'partial'],
    ['xen', 'exploited'],
    ['xxe', 'exploited'],
    ['pe', 'exploited'],
  ])('%s is %s', (letters, result) => {
    expect(attackOf('a', letters).verdict.result).toBe(result)
  })

  test('is the whole verdict of its worst trial, the first of several', () => {
    const trials = [trial(1, 'not_exploited'), trial(2, 'action'), trial(3, 'breach'), trial(4, 'breach')]
    expect(attackVerdict(trials)).toBe(trials[2]?.verdict)
  })

  test('without a trial it is an error that says so', () => {
    expect(attackVerdict([], 'A-1')).toMatchObject({
      attack_id: 'A-1',
      result: 'error',
      diagnostics: [{ code: 'not-run', message: 'the attack was not run' }],
    })
  })
})

test('counts by category, severity and protocol', () => {
  const summary = summaryOf(
    resultsOf([
      attackOf('a', 'eb', { severity: 'low', category: 'oversight_bypass', protocols: ['mcp', 'a2a'] }),
      attackOf('b', 'nn', { severity: 'critical', category: 'oversight_bypass' }),
      attackOf('c', 'x', { severity: 'high', protocols: [] }),
      attackOf('d', 'e', {}),
    ]),
  )
  expect(summary.attacks).toEqual({ exploited: 2, partial: 0, error: 1, not_exploited: 1, total: 4 })
  expect(summary.trials).toEqual({ exploited: 3, partial: 0, error: 1, not_exploited: 2, total: 6 })
  expect(summary.tiers).toEqual({ boundary_breach: 1, local_action: 0, ingested: 0, none: 1 })
  const rows = (part: 'categories' | 'severities' | 'protocols') =>
    summary[part].map(({ name, attacks }) => `${name} ${attacks.exploited}/${attacks.total}`)
  expect(rows('categories')).toEqual(['oversight_bypass 1/2', 'undefined 1/2'])
  expect(rows('severities')).toEqual(['critical 0/1', 'high 0/1', 'low 1/1', 'undefined 1/1'])
  expect(rows('protocols')).toEqual(['a2a 1/1', 'mcp 2/3', 'undefined 0/1'])
})
