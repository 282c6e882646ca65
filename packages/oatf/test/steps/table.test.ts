import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { stepTable } from '../../src/steps/table.ts'
import { runStep } from './run-step.ts'

test('the steps are in the order of the specification', () => {
  expect(stepTable.map((row) => row.code)).toEqual([
    'N-001',
    'N-002',
    'N-003',
    'N-004',
    'N-005',
    'N-006',
    'N-007',
    'N-008',
  ])
})

// Wrong types in every place that a step reads.
const garbage: Value[] = [
  null,
  7,
  'attack',
  [],
  { severity: [], classification: 'none', execution: null, indicators: {}, correlation: [] },
  {
    classification: { mappings: [null, 1], tags: [null, 5] },
    indicators: [null, 'x', { pattern: 'x', semantic: 1, target: 3 }],
  },
  { execution: { mode: 5, phases: [null, 'x', { trigger: 'x' }] }, indicators: [[]] },
  { execution: { actors: [null, { phases: 'x' }, { phases: [null] }] } },
  { execution: { state: null } },
  { execution: [], id: {}, indicators: [{}] },
]

describe.each(stepTable.map((row) => [row.code]))('%s', (code) => {
  test.each(garbage.map((attack) => [attack]))('looks before it touches %j', (attack) => {
    expect(() => runStep(code, attack)).not.toThrow()
  })
})
