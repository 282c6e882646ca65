import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { refusedLists } from '../../src/judge/untested.ts'
import type { TraceEntry } from '../../src/model/trace-entry.ts'

const entry = (flow: 'in' | 'out', surface: string, content: Value): TraceEntry => ({
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  elapsed_ms: 0,
  actor: 'office',
  mode: 'mcp_server',
  protocol: 'mcp',
  phase: 'phase-1',
  session: 's',
  direction: flow === 'in' ? 'request' : 'response',
  flow,
  surface,
  content,
})
const listed = (inputSchema: Value) =>
  entry('out', 'tools/list', {
    tools: [
      { name: 'read', inputSchema: { type: 'object' } },
      { name: 'send', inputSchema },
    ],
  })
const SENTENCE = 'clients refuse the tools of office: send has no inputSchema of type object'

test.each([
  ['no type', [listed({}), listed({})], [SENTENCE]],
  ['another type', [listed({ type: 'string' })], [SENTENCE]],
  ['nothing wrong', [listed({ type: 'object' })], []],
  ['a call, so that somebody has taken the list', [listed({}), entry('in', 'tools/call', { name: 'read' })], []],
])('%s', (_, trace, sentences) => {
  expect(refusedLists(trace)).toEqual(sentences)
})
