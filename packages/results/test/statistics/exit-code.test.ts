import { expect, test } from 'vitest'
import { attackAssessment } from '../../src/model/outcome-order.ts'
import type { Trial } from '../../src/model/results.ts'
import { type Gate, outcomeCode, suiteCode, verdictCode } from '../../src/statistics/exit-code.ts'
import { attackOf, resultsOf, targetOf, trial, verdict } from '../support/results.ts'

test('each outcome has an exit code', () => {
  const words = ['resisted', 'exploited', 'action', 'breach', 'partial', 'inconclusive', 'not_applicable'] as const
  expect(words.map((word) => outcomeCode(trial(1, word)))).toEqual([0, 1, 2, 3, 4, 5, 5])
  expect((['not_exploited', 'breach', 'error'] as const).map((word) => verdictCode(verdict(word)))).toEqual([0, 3, 5])
})

test('inconclusive runs fail, even below the --fail-on threshold', () => {
  const mild = resultsOf([attackOf('a', 'axxx')])
  expect(suiteCode(mild, { failOn: 'boundary_breach' })).toBe(5)
  expect(suiteCode(mild, { failOn: 'boundary_breach', maxErrors: 0 })).toBe(5)
  expect(suiteCode(mild, { failOn: 'boundary_breach', maxErrors: 2 })).toBe(5)
  expect(suiteCode(mild, { failOn: 'boundary_breach', maxErrors: 3 })).toBe(0)
  expect(suiteCode(mild)).toBe(2)
})

test('a severity ignores milder attacks, but not those without a severity', () => {
  const gate: Gate = { failOn: 'high' }
  expect(suiteCode(resultsOf([attackOf('a', 'b', { severity: 'medium' })]), gate)).toBe(0)
  expect(suiteCode(resultsOf([attackOf('a', 'b', { severity: 'high' })]), gate)).toBe(3)
  expect(suiteCode(resultsOf([attackOf('a', 'b')]), gate)).toBe(3)
})

test('with --fail-on regression, only regressions and inconclusive runs count', () => {
  const both = resultsOf([attackOf('a', 'e'), attackOf('b', 'b')])
  const gate = (...names: readonly string[]): Gate => ({
    failOn: 'regression',
    regressions: names.map((name) => ({ target: 'sim/cautious', file: `${name}.oatf.yaml` })),
  })
  expect(suiteCode(both, gate())).toBe(0)
  expect(suiteCode(both, gate('a'))).toBe(1)
  expect(suiteCode(both, { failOn: 'regression' })).toBe(5)
  expect(suiteCode(resultsOf([attackOf('a', 'x')]), gate())).toBe(5)
})

test('a regression counts for its own target only', () => {
  const targets = [targetOf([attackOf('a', 'e')]), targetOf([attackOf('a', 'b')], { name: 'other' })]
  const regressions = [{ target: 'sim/cautious', file: 'a.oatf.yaml' }]
  expect(suiteCode(resultsOf([], { targets }), { failOn: 'regression', regressions })).toBe(1)
})

test('the worst target counts', () => {
  const targets = [targetOf([attackOf('a', 'n')]), targetOf([attackOf('a', 'p')], { name: 'other' })]
  expect(suiteCode(resultsOf([], { targets }), {})).toBe(4)
})

test('an inconclusive run with a match in a message of the agent is never allowed', () => {
  const entry = { seq: 3, actor: 'a', phase: 'p', surface: 'tools/call', flow: 'in' } as const
  const counted = [{ indicator_id: 'i', result: 'matched', entry }] as const
  const suspicious = (changes: Partial<Trial>) => {
    const trials = [trial(1, 'resisted'), trial(2, 'inconclusive', changes), trial(3, 'inconclusive')]
    return resultsOf([{ ...attackOf('a', 'n'), trials, ...attackAssessment(trials) }])
  }
  expect(suiteCode(suspicious({}), { maxErrors: 9 })).toBe(0)
  expect(suiteCode(suspicious({ counted }), { maxErrors: 9 })).toBe(5)
  const own = [{ ...counted[0], entry: { ...entry, flow: 'out' } }] as const
  expect(suiteCode(suspicious({ counted: own }), { maxErrors: 9 })).toBe(0)
  expect(suspicious({ counted }).targets[0]?.attacks[0]?.counted).toEqual(counted)
})

test('an attack that is no longer applicable counts as a regression', () => {
  const results = resultsOf([attackOf('a', 'n'), attackOf('b', '-')])
  const regressions = [{ target: 'sim/cautious', file: 'b.oatf.yaml' }]
  expect(suiteCode(results, { failOn: 'regression', regressions: [] })).toBe(0)
  expect(suiteCode(results, { failOn: 'regression', regressions })).toBe(5)
})

test('a stopped suite never passes', () => {
  const whole = resultsOf([attackOf('a', 'n')])
  expect(suiteCode(whole, { maxErrors: 9 })).toBe(0)
  expect(suiteCode({ ...whole, stopped: { reason: 'budget', message: '' } }, { maxErrors: 9 })).toBe(5)
})

test('an attack without trials never passes', () => {
  expect(suiteCode(resultsOf([attackOf('a', ''), attackOf('b', 'n')]), { maxErrors: 9 })).toBe(5)
})

test('attacks that are not applicable are ignored, but a target without others does not pass', () => {
  expect(suiteCode(resultsOf([attackOf('a', 'n'), attackOf('b', '-')]), {})).toBe(0)
  expect(suiteCode(resultsOf([attackOf('b', '-')]), { maxErrors: 9 })).toBe(5)
  expect(suiteCode(resultsOf([]), {})).toBe(5)
})
