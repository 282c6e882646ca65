import { describe, expect, test } from 'vitest'
import { reasonsAgainst } from '../../../arena/src/judge/assess.ts'
import { createReports, type DiagnosticCode, diagnostic, diagnosticTable } from '../../src/model/diagnostics.ts'

/** Code, severity and revocation of each row. The compiler requires every row. */
// biome-ignore format: a row is a line
const expected: Record<DiagnosticCode, string> = {
  'action-dropped': 'action-dropped warning never',
  'action-malformed': 'action-malformed warning clients',
  'actor-failed': 'actor-failed error always',
  'agent-busy': 'agent-busy warning never',
  'agent-failed': 'agent-failed error always',
  'agent-refused': 'agent-refused warning never',
  'answer-cut': 'answer-cut warning always',
  'answer-failed': 'answer-failed warning clients',
  'answer-undelivered': 'answer-undelivered warning always',
  'answer-unwritten': 'answer-unwritten warning always',
  'connection-lost': 'connection-lost warning clients',
  'content-malformed': 'content-malformed warning never',
  'endpoint-moved': 'endpoint-moved warning never',
  'evaluation-expired': 'evaluation-expired error never',
  'event-untyped': 'event-untyped warning never',
  'expression-failed': 'expression-failed warning never',
  'flooded': 'flooded error always',
  'handshake-refused': 'handshake-refused warning clients',
  'host-not-allowed': 'host-not-allowed warning never',
  'indicator-skipped': 'indicator-skipped warning always',
  'interrupted': 'interrupted error always',
  'log-error': 'log-error error never',
  'log-info': 'log-info warning never',
  'log-warn': 'log-warn warning never',
  'message-malformed': 'message-malformed warning never',
  'model-calls-unattributed': 'model-calls-unattributed warning never',
  'model-failed': 'model-failed warning never',
  'model-not-called': 'model-not-called warning never',
  'more-diagnostics': 'more-diagnostics warning never',
  'no-contact': 'no-contact warning never',
  'not-delivered': 'not-delivered warning never',
  'not-run': 'not-run error never',
  'overlay-misplaced': 'overlay-misplaced warning never',
  'pattern-malformed': 'pattern-malformed error never',
  'phase-expired': 'phase-expired warning never',
  'phase-not-reached': 'phase-not-reached warning never',
  'phase-passed': 'phase-passed warning clients',
  'phase-stalled': 'phase-stalled warning never',
  'prompt-changed': 'prompt-changed warning never',
  'push-failed': 'push-failed warning never',
  'reply-missing': 'reply-missing warning clients',
  'reply-unexpected': 'reply-unexpected warning never',
  'request-refused': 'request-refused warning never',
  'result-cut': 'result-cut warning always',
  'results-unreadable': 'results-unreadable error never',
  'results-unwritable': 'results-unwritable error never',
  'run-expired': 'run-expired error always',
  'run-unfinished': 'run-unfinished error never',
  'semantic-examples': 'semantic-examples error never',
  'session-lost': 'session-lost warning never',
  'stage-not-set': 'stage-not-set warning always',
  'state-inherited': 'state-inherited warning never',
  'state-malformed': 'state-malformed warning never',
  'stream-lost': 'stream-lost warning never',
  'synthesize-reserved': 'W-006 warning never',
  'target-failed': 'target-failed error always',
  'task-malformed': 'task-malformed error never',
  'template-empty': 'W-004 warning clients',
  'through-changed': 'through-changed warning never',
  'through-changed-state': 'through-changed-state warning never',
  'through-failed': 'through-failed warning always',
  'through-unclear': 'through-unclear warning never',
  'trace-failed': 'trace-failed error always',
  'trace-malformed': 'trace-malformed error never',
  'unknown-action': 'unknown-action warning never',
  'unknown-mode': 'unknown-mode warning always',
  'unknown-state-key': 'unknown-state-key warning never',
}

const actors = [
  { name: 'client', mode: 'mcp_client', status: 'finished', phases: [] },
  { name: 'server', mode: 'mcp_server', status: 'serving', phases: [] },
] as const

// The keys of a literal object are its names.
const names = Object.keys(diagnosticTable) as DiagnosticCode[]

test.each(names)('%s has its code and severity, and revokes passes as declared', (name) => {
  const finding = diagnostic(name, 'why', 'attack')
  const spoiled = (actor?: string) => {
    const diagnostics = [{ ...finding, ...(actor === undefined ? {} : { actor }) }]
    return reasonsAgainst({ ended: 'done', actors, diagnostics }).length > 0
  }
  const revoked = { nothing: spoiled(), server: spoiled('server'), client: spoiled('client') }
  const revokes = revoked.nothing && revoked.server ? 'always' : revoked.client ? 'clients' : 'never'
  expect(`${finding.code} ${finding.severity} ${revokes}`).toBe(expected[name])
  expect(Object.keys(finding)).toEqual(['code', 'severity', 'spec_ref', 'message', 'path'])
})

test('a meaning is a sentence', () => {
  for (const { meaning } of Object.values(diagnosticTable)) expect(meaning).toMatch(/^[A-Z].*\.$/)
})

describe('reports', () => {
  test('repeated diagnostics are counted', () => {
    const told: string[] = []
    const reports = createReports(({ message }) => told.push(message))
    for (const message of ['a', 'b', 'a']) reports.add(diagnostic('log-info', message))
    reports.add({ ...diagnostic('log-info', 'a'), actor: 'other' })
    expect(told).toEqual(['a', 'b', 'a'])
    expect(reports.all().map(({ message, times, actor }) => [message, times, actor])).toEqual([
      ['a', 2, undefined],
      ['b', undefined, undefined],
      ['a', undefined, 'other'],
    ])
  })

  test('the number of diagnostics is limited', () => {
    const reports = createReports()
    for (let number = 0; number < 5000; number++) reports.add(diagnostic('message-malformed', `garbage ${number}`))
    const all = reports.all()
    expect(all).toHaveLength(1001)
    expect(all.at(-1)).toMatchObject({ code: 'more-diagnostics', message: '4000 more diagnostics omitted' })
  })

  test('the first of each code and actor is kept beyond the limit', () => {
    const reports = createReports()
    for (let number = 0; number < 2000; number++) reports.add(diagnostic('message-malformed', `garbage ${number}`))
    reports.add({ ...diagnostic('reply-missing', 'ping'), actor: 'client' })
    expect(reports.all().map(({ code }) => code)).toContain('reply-missing')
  })
})
