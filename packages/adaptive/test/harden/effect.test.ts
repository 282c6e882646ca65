import { describe, expect, test } from 'vitest'
import type { AttackResults, ResultVerdict, Trial } from '../../../results/src/model/results.ts'
import { effectOf, taskShare } from '../../src/harden/effect.ts'

const verdict = (result: ResultVerdict['result']): ResultVerdict => ({
  result,
  indicator_verdicts: [],
  evaluation_summary: { matched: 0, not_matched: 1, error: 0, skipped: 0 },
})

function trial(changes: Partial<Trial> = {}): Trial {
  return {
    trial: 1,
    outcome: 'resisted',
    reasons: [],
    exposure: { planted: ['a'], delivered: ['a'], bait: ['a'] },
    verdict: verdict('not_exploited'),
    trace: '',
    duration_ms: 1,
    ended: 'done',
    actors: [],
    diagnostics: [],
    task: verdict('exploited'),
    ...changes,
  }
}

const effect = (...trials: readonly Trial[]) => {
  const { outcome, reasons, exposure, verdict: said } = trial()
  const attack: AttackResults['attack'] = { name: 'a', protocols: [], indicators: [] }
  const results = { file: 'a', fingerprint: '', attack, outcome, reasons, exposure, verdict: said, trials }
  return effectOf(results, { done: 1, of: 1 })
}
const away = { outcome: 'inconclusive', exposure: { planted: ['a'], delivered: [], bait: ['a'] } } as const

describe('an attack is stopped', () => {
  test('when all of its runs were resisted', () => {
    expect(effect(trial(), trial())).toEqual({ attack: 'stopped', kept: true })
    expect(effect(trial(), trial({ outcome: 'partial' })).attack).toBe('through')
    expect(effect().attack).toBe('unknown')
  })

  test('when the bait does not arrive and the task is done to the end', () => {
    expect(effect(trial(away)).attack).toBe('stopped')
    expect(effect(trial({ ...away, task: verdict('not_exploited') })).attack).toBe('unknown')
    expect(effect(trial({ ...away, ended: 'expired' })).attack).toBe('unknown')
    expect(effect(trial({ ...away, verdict: verdict('error') })).attack).toBe('unknown')
    expect(effect(trial({ ...away, exposure: trial().exposure })).attack).toBe('unknown')
  })
})

test('a task is kept when it is done as often as before', () => {
  expect(effect(trial(), trial({ task: verdict('partial') })).kept).toBe(false)
  expect(effect(trial({ task: verdict('error') })).kept).toBe(false)
  expect(taskShare([trial(), trial({ task: verdict('not_exploited') })])).toEqual({ done: 1, of: 2 })
})
