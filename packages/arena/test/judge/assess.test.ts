import { describe, expect, test } from 'vitest'
import { reasonsAgainst } from '../../src/judge/assess.ts'
import { diagnostic } from '../../src/model/diagnostics.ts'
import type { ActorFacts } from '../../src/model/run-facts.ts'

const actor = (status: ActorFacts['status'], mode = 'mcp_client'): ActorFacts => ({
  name: 'a',
  mode,
  status,
  phases: [],
})
describe('a run that came to its end', () => {
  test('is one in which servers waited and clients did what they had to', () => {
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

  test('has no client that never came to its other phases; in its last phase it has made the attack', () => {
    const of = (unreached: number) =>
      reasonsAgainst({ ended: 'done', actors: [{ ...actor('stalled'), unreached }], diagnostics: [] })
    expect([of(0), of(1)]).toEqual([[], ['the actor a stalled']])
  })

  test('has no target that failed; what else was told does not matter', () => {
    const diagnostics = [diagnostic('log-info', 'hello'), diagnostic('target-failed', 'it crashed')]
    expect(reasonsAgainst({ ended: 'done', actors: [], diagnostics })).toEqual(['it crashed'])
  })
})
