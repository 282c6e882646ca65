import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

test('N-007: the phases become those of the one actor', () => {
  const phases = [{ name: 'a', state: {} }, { name: 'b' }]
  expect(runStep('N-007', { execution: { mode: 'a2a_server', phases, 'x-note': 'kept' } })).toEqual({
    execution: { 'x-note': 'kept', actors: [{ name: 'default', mode: 'a2a_server', phases }] },
  })
})

test('N-007: without execution.mode the first phase gives the mode, and keeps its own', () => {
  const phases = [
    { name: 'a', mode: 'mcp_client' },
    { name: 'b', mode: 'mcp_client' },
  ]
  expect(runStep('N-007', { execution: { phases } })).toEqual({
    execution: { actors: [{ name: 'default', mode: 'mcp_client', phases }] },
  })
})

test.each<[execution: Value]>([
  [{ mode: 'mcp_server', state: {} }],
  [{ actors: [{ name: 'a', mode: 'mcp_server', phases: [] }] }],
  [{ phases: [], actors: [] }],
  [{ state: {}, phases: [] }],
])('N-007: %j is not its business', (execution) => {
  expect(runStep('N-007', { execution })).toEqual({ execution })
})
