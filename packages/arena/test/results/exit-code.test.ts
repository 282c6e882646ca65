import type { AttackResults, Results } from '@joust/arena'
import type { AttackResult, Tier } from '@joust/oatf'
import { expect, test } from 'vitest'
import { suiteCode } from '../../src/results/exit-code.ts'

const verdict = (result: AttackResult, max_tier?: Tier) => ({
  result,
  ...(max_tier === undefined ? {} : { max_tier }),
  indicator_verdicts: [],
  evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 },
})

/** An attack by its trials; the worst of them is its verdict, as it is given here. */
function attack(file: string, worst: ReturnType<typeof verdict>, ...others: readonly AttackResult[]): AttackResults {
  const trials = [worst, ...others.map((result) => verdict(result))].map((one, index) => ({
    trial: index + 1,
    verdict: one,
    trace: '',
    duration_ms: 1,
    ended: 'done' as const,
    actors: [],
    diagnostics: [],
  }))
  return {
    file,
    fingerprint: '',
    attack: { name: file, severity: 'medium', protocols: [], indicators: [] },
    verdict: worst,
    trials,
  }
}

const results = (...attacks: readonly AttackResults[]): Results => ({
  version: 1,
  joust: '0',
  started_at: '',
  finished_at: '',
  target: { kind: 'none', name: '' },
  suite: { trials: 1, fingerprint: '' },
  attacks,
})

test('errors fail, also those of an attack that --fail-on lets pass', () => {
  const mild = results(attack('a', verdict('exploited', 'local_action'), 'error', 'error', 'error'))
  expect(suiteCode(mild, { failOn: 'boundary_breach' })).toBe(5)
  expect(suiteCode(mild, { failOn: 'boundary_breach', maxErrors: 0 })).toBe(5)
  expect(suiteCode(mild, { failOn: 'boundary_breach', maxErrors: 2 })).toBe(5)
  expect(suiteCode(mild, { failOn: 'boundary_breach', maxErrors: 3 })).toBe(0)
  expect(suiteCode(mild, {})).toBe(2)
})

test('regressions alone count when they are asked for, and errors', () => {
  const both = results(attack('a', verdict('exploited')), attack('b', verdict('exploited', 'boundary_breach')))
  const gate = (files: readonly string[]) => ({ failOn: 'regression', regressions: new Set(files) })
  expect(suiteCode(both, gate([]))).toBe(0)
  expect(suiteCode(both, gate(['a']))).toBe(1)
  expect(suiteCode(both, { failOn: 'regression' })).toBe(5)
  expect(suiteCode(results(attack('a', verdict('error'))), gate([]))).toBe(5)
})

test('a suite that was stopped is no pass, whatever was allowed', () => {
  const whole = results(attack('a', verdict('not_exploited')))
  expect(suiteCode(whole, { maxErrors: 9 })).toBe(0)
  expect(suiteCode({ ...whole, stopped: { reason: 'budget', message: '' } }, { maxErrors: 9 })).toBe(5)
})

test('nothing at all is no pass', () => {
  expect(suiteCode(results(), {})).toBe(5)
})
