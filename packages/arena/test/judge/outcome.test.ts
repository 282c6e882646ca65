import type { AttackResult, AttackVerdict } from '@joust/oatf'
import { expect, test } from 'vitest'
import { endingOf, failClosed } from '../../src/judge/fail-closed.ts'
import type { ActorOutcome } from '../../src/model/actor-outcome.ts'
import { diagnostic } from '../../src/model/diagnostics.ts'

const verdict = (result: AttackResult): AttackVerdict => ({
  result,
  indicator_verdicts: [],
  evaluation_summary: { matched: 0, not_matched: 1, error: 0, skipped: 0 },
})
const actor = (status: ActorOutcome['status'], mode = 'mcp_client'): ActorOutcome => ({
  name: 'a',
  mode,
  status,
  phases: [],
})

test('a run that came to its end says what it says', () => {
  const actors = [
    actor('finished'),
    actor('serving', 'mcp_server'),
    actor('expired', 'mcp_server'),
    actor('stalled'),
    actor('skipped'),
  ]
  expect(failClosed(verdict('not_exploited'), { ended: 'done', actors, diagnostics: [] }).result).toBe('not_exploited')
})

test.each(['expired', 'interrupted', 'flooded', 'failed'] as const)('a run that ended by %s is no pass', (ended) => {
  expect(failClosed(verdict('not_exploited'), { ended, actors: [], diagnostics: [] }).result).toBe('error')
})

test.each(['failed', 'stopped', 'expired'] as const)(
  'a client that %s leaves open what the agent would have done',
  (status) => {
    expect(
      failClosed(verdict('not_exploited'), { ended: 'done', actors: [actor(status)], diagnostics: [] }).result,
    ).toBe('error')
  },
)

test('a target that failed is no pass, and the reason is there', () => {
  const reason = diagnostic('target-failed', 'it crashed')
  const found = failClosed(verdict('not_exploited'), {
    ended: 'done',
    actors: [],
    diagnostics: [diagnostic('log-info', 'hello'), reason],
  })
  expect(found).toMatchObject({ result: 'error', diagnostics: [reason] })
})

test.each(['exploited', 'partial', 'error'] as const)('what was shown stays shown: %s', (result) => {
  expect(failClosed(verdict(result), { ended: 'interrupted', actors: [actor('failed')], diagnostics: [] }).result).toBe(
    result,
  )
})

test('a client that never came to its other phases has not made the attack; in its last phase it has', () => {
  const of = (unreached: number) =>
    failClosed(verdict('not_exploited'), {
      ended: 'done',
      actors: [{ ...actor('stalled'), unreached }],
      diagnostics: [],
    })
  expect(of(0).result).toBe('not_exploited')
  expect(of(1)).toMatchObject({ result: 'error', diagnostics: [{ code: 'run-unfinished' }] })
})

test('the end of a trace tells the same', () => {
  expect(endingOf({ ended: 'done', actors: [actor('finished')], diagnostics: [] })).toEqual({ ended: 'done' })
  expect(endingOf({ ended: 'interrupted', actors: [actor('stopped')], diagnostics: [] })).toEqual({
    ended: 'interrupted',
    reasons: ['the actor a stopped', 'the run was interrupted'],
  })
})
