import { describe, expect, test } from 'vitest'
import { diagnostic } from '../../../results/src/model/diagnostics.ts'
import type { ActorFacts } from '../../../results/src/model/run-facts.ts'
import { reasonsAgainst } from '../../src/judge/assess.ts'

const actor = (status: ActorFacts['status'], mode = 'mcp_client'): ActorFacts => ({
  name: 'a',
  mode,
  status,
  phases: [],
})
describe('a run that ended normally', () => {
  test('has servers that waited and clients that finished', () => {
    const actors = [
      actor('finished'),
      actor('serving', 'mcp_server'),
      actor('expired', 'mcp_server'),
      actor('stalled'),
      actor('skipped'),
    ]
    expect(reasonsAgainst({ ended: 'done', actors, diagnostics: [] })).toEqual([])
  })

  test.each(['expired', 'interrupted', 'flooded', 'failed'] as const)('did not end by %s', (ended) => {
    expect(reasonsAgainst({ ended, actors: [], diagnostics: [] })).toEqual([`the run was ${ended}`])
  })

  test.each(['failed', 'stopped', 'expired'] as const)('has no client that %s', (status) => {
    const reasons = reasonsAgainst({ ended: 'done', actors: [actor(status)], diagnostics: [] })
    expect(reasons).toEqual([`the actor a ${status}`])
  })

  test('has no client that stalled before its last phase', () => {
    const of = (unreached: number) =>
      reasonsAgainst({ ended: 'done', actors: [{ ...actor('stalled'), unreached }], diagnostics: [] })
    expect([of(0), of(1)]).toEqual([[], ['the actor a stalled']])
  })

  test('has no failed target; other diagnostics do not matter', () => {
    const diagnostics = [diagnostic('log-info', 'hello'), diagnostic('target-failed', 'it crashed')]
    expect(reasonsAgainst({ ended: 'done', actors: [], diagnostics })).toEqual(['it crashed'])
  })
})
