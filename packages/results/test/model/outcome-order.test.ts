import { describe, expect, test } from 'vitest'
import { exposureText } from '../../src/describe/evidence.ts'
import { attackAssessment, compareOutcomes } from '../../src/model/outcome-order.ts'
import { summaryOf } from '../../src/statistics/summary.ts'
import { attackOf, targetOf, trial } from '../support/results.ts'

test('the order, from worst to best', () => {
  const words = ['breach', 'action', 'exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'] as const
  const worst = words.map((word) => trial(1, word))
  const shuffled = [3, 0, 6, 5, 1, 4, 2].flatMap((index) => worst[index] ?? [])
  expect(shuffled.sort(compareOutcomes)).toEqual(worst)
  const ingested = { outcome: 'exploited', tier: 'ingested' } as const
  expect(compareOutcomes(ingested, { outcome: 'exploited' })).toBe(0)
})

describe('the assessment of an attack', () => {
  test.each([
    ['n', 'resisted'],
    ['nnx', 'inconclusive'],
    ['xpn', 'partial'],
    ['xen', 'exploited'],
    ['xxe', 'exploited'],
    ['pe', 'exploited'],
    ['-x', 'inconclusive'],
    ['-n-', 'resisted'],
    ['--', 'not_applicable'],
  ])('%s is %s', (letters, outcome) => {
    expect(attackOf('a', letters).outcome).toBe(outcome)
  })

  test('is that of its first worst trial', () => {
    const exposure = { planted: ['a'], delivered: ['a'], bait: ['a'] }
    const third = trial(3, 'breach', { exposure, reasons: ['third'] })
    const trials = [trial(1, 'resisted'), trial(2, 'action'), third, trial(4, 'breach')]
    expect(attackAssessment(trials)).toEqual({
      outcome: 'exploited',
      tier: 'boundary_breach',
      reasons: ['third'],
      verdict: third.verdict,
      exposure,
    })
  })

  test('without trials is inconclusive, with a reason', () => {
    expect(attackAssessment([], 'A-1')).toMatchObject({
      outcome: 'inconclusive',
      reasons: ['the attack was not run'],
      verdict: { attack_id: 'A-1', result: 'error' },
      exposure: { planted: [], delivered: [], bait: [] },
    })
  })
})

test('counts by category, severity and protocol', () => {
  const summary = summaryOf(
    targetOf([
      attackOf('a', 'eb', { severity: 'low', category: 'oversight_bypass', protocols: ['mcp', 'a2a'] }),
      attackOf('b', 'nn', { severity: 'critical', category: 'oversight_bypass' }),
      attackOf('c', 'x', { severity: 'high', protocols: [] }),
      attackOf('d', 'e', {}),
      attackOf('e', '-', { severity: 'high', category: 'oversight_bypass' }),
    ]),
  )
  expect(summary.attacks).toEqual({
    exploited: 2,
    partial: 0,
    inconclusive: 1,
    resisted: 1,
    not_applicable: 1,
    total: 5,
  })
  expect(summary.trials).toEqual({
    exploited: 3,
    partial: 0,
    inconclusive: 1,
    resisted: 2,
    not_applicable: 1,
    total: 7,
  })
  expect(summary.tiers).toEqual({ boundary_breach: 1, local_action: 0, ingested: 0, none: 1 })
  const rows = (part: 'categories' | 'severities' | 'protocols') =>
    summary[part].map(({ name, attacks }) => `${name} ${attacks.exploited}/${attacks.total}`)
  expect(rows('categories')).toEqual(['oversight_bypass 1/3', 'undefined 1/2'])
  expect(rows('severities')).toEqual(['critical 0/1', 'high 0/2', 'low 1/1', 'undefined 1/1'])
  expect(rows('protocols')).toEqual(['a2a 1/1', 'mcp 2/4', 'undefined 0/1'])
})

describe('the text of an exposure', () => {
  const planted = ['a', 'b', 'c', 'd', 'e']

  test.each([
    [{ planted: [], delivered: [], bait: [] }, undefined],
    [{ planted: ['a'], delivered: [], bait: [] }, 'was sent 0 of 1 planted text'],
    [
      { planted, delivered: ['a', 'c'], bait: ['c', 'd'] },
      'was sent 2 of 5 planted texts; the bait: c (delivered), d (not delivered)',
    ],
    [
      { planted, delivered: [], bait: planted, guessed: true as const },
      'was sent 0 of 5 planted texts; the bait, guessed: a (not delivered), b (not delivered), c (not delivered), and 2 more',
    ],
  ])('%j', (exposure, text) => {
    expect(exposureText(exposure)).toBe(text)
  })

  test('a long path is shortened in the middle', () => {
    const path = 'attack.execution.actors[1].phases[0].state.tools[0].responses[0].content.content[0].text'
    const text = exposureText({ planted: [path], delivered: [path], bait: [path] }, 40)
    expect(text).toBe(
      'was sent 1 of 1 planted text; the bait: a tool result (delivered, attack.execut…0].content.content[0].text)',
    )
  })
})
