import { expect, test } from 'vitest'
import { joinResults } from '../src/join.ts'
import { attackOf, resultsOf, targetOf } from './support/results.ts'

test('joined results have all targets, their traces, and the earliest start and latest end', () => {
  const first = resultsOf([attackOf('a', 'en')])
  const second = resultsOf([], {
    started_at: '2025-12-31T00:00:00.000Z',
    finished_at: '2026-01-02T00:00:00.000Z',
    stopped: { reason: 'budget', message: 'enough' },
    targets: [targetOf([attackOf('a', 'n'), attackOf('b', '')], { name: 'other' })],
  })
  const joined = joinResults([
    { results: first, under: 'one' },
    { results: second, under: 'two' },
  ])
  expect(joined).toMatchObject({
    started_at: '2025-12-31T00:00:00.000Z',
    finished_at: '2026-01-02T00:00:00.000Z',
    suite: first.suite,
    stopped: { reason: 'budget' },
  })
  const traces = joined.targets.map(({ name, attacks }) => [
    name,
    attacks.flatMap(({ trials }) => trials.map(({ trace }) => trace)),
  ])
  expect(traces).toEqual([
    ['sim/cautious', ['one/traces/1.jsonl', 'one/traces/2.jsonl']],
    ['other', ['two/traces/1.jsonl']],
  ])
})

test('a run without a trace has an empty path', () => {
  const bare = attackOf('a', 'n')
  const trials = bare.trials.map((trial) => ({ ...trial, trace: '' }))
  const joined = joinResults([{ results: resultsOf([{ ...bare, trials }]), under: 'one' }])
  expect(joined.targets[0]?.attacks[0]?.trials[0]?.trace).toBe('')
})
