import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

test('N-006: state becomes the one phase of the one actor', () => {
  expect(runStep('N-006', { execution: { mode: 'mcp_server', state: { tools: [] } } })).toEqual({
    execution: {
      actors: [{ name: 'default', mode: 'mcp_server', phases: [{ name: 'phase-1', state: { tools: [] } }] }],
    },
  })
})

test('N-006: extensions stay with the execution', () => {
  expect(runStep('N-006', { execution: { 'x-a': 1, mode: 'mcp_server', state: {} } })).toEqual({
    execution: {
      'x-a': 1,
      actors: [{ name: 'default', mode: 'mcp_server', phases: [{ name: 'phase-1', state: {} }] }],
    },
  })
})

test.each<[execution: Value]>([
  [{ mode: 'mcp_server', phases: [{ state: {} }] }],
  [{ actors: [] }],
  [{ mode: 'mcp_server', state: {}, phases: [] }],
  [{ mode: 'mcp_server', state: {}, actors: [] }],
  [{}],
])('N-006: %j is not its business', (execution) => {
  expect(runStep('N-006', { execution })).toEqual({ execution })
})
