import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { runStep } from './run-step.ts'

const always = { name: 'Untitled', version: 1, status: 'draft' }
const given = { name: 'Named', version: 3, status: 'stable' }

// §11.2.1, and NORM-001h of the official fixtures for the mode of a phase.
describe('N-001', () => {
  test.each<[title: string, attack: Value, expected: Value]>([
    ['name, version, status', {}, always],
    ['existing values stay', given, given],
    ['even when it is odd', { ...given, name: '', version: 0 }, { ...given, name: '', version: 0 }],
    [
      'confidence of a severity object',
      { severity: { level: 'low' } },
      { ...always, severity: { level: 'low', confidence: 50 } },
    ],
    [
      'a confidence of 0 is one',
      { severity: { level: 'low', confidence: 0 } },
      { ...always, severity: { level: 'low', confidence: 0 } },
    ],
    ['an absent severity stays absent', { id: 'A-001' }, { id: 'A-001', ...always }],
    [
      'relationship of a mapping',
      {
        classification: {
          mappings: [
            { framework: 'cwe', id: 'CWE-1' },
            { framework: 'x', id: '2', relationship: 'related' },
          ],
        },
      },
      {
        ...always,
        classification: {
          mappings: [
            { framework: 'cwe', id: 'CWE-1', relationship: 'primary' },
            { framework: 'x', id: '2', relationship: 'related' },
          ],
        },
      },
    ],
    [
      'logic, when there are indicators',
      { indicators: [] },
      { ...always, indicators: [], correlation: { logic: 'any' } },
    ],
    [
      'logic of an empty correlation',
      { indicators: [], correlation: {} },
      { ...always, indicators: [], correlation: { logic: 'any' } },
    ],
    [
      'existing logic stays',
      { indicators: [], correlation: { logic: 'all' } },
      { ...always, indicators: [], correlation: { logic: 'all' } },
    ],
    [
      'protocol of indicators from execution.mode',
      { execution: { mode: 'ag_ui_client' }, indicators: [{ target: '' }, { target: '', protocol: 'mcp' }] },
      {
        ...always,
        execution: { mode: 'ag_ui_client' },
        indicators: [
          { target: '', protocol: 'ag_ui' },
          { target: '', protocol: 'mcp' },
        ],
        correlation: { logic: 'any' },
      },
    ],
    [
      'no protocol without execution.mode',
      { execution: { actors: [] }, indicators: [{ target: '' }] },
      { ...always, execution: { actors: [] }, indicators: [{ target: '' }], correlation: { logic: 'any' } },
    ],
  ])('%s', (_, attack, expected) => {
    expect(runStep('N-001', attack)).toEqual(expected)
  })

  test('names of phases count from 1 within their actor; modes stay where they were written', () => {
    const attack = {
      execution: {
        actors: [
          { name: 'a', mode: 'mcp_server', phases: [{}, { name: 'own' }, {}] },
          { name: 'b', mode: 'a2a_client', phases: [{}] },
        ],
      },
    }
    expect(runStep('N-001', attack)).toEqual({
      ...always,
      execution: {
        actors: [
          { name: 'a', mode: 'mcp_server', phases: [{ name: 'phase-1' }, { name: 'own' }, { name: 'phase-3' }] },
          { name: 'b', mode: 'a2a_client', phases: [{ name: 'phase-1' }] },
        ],
      },
    })
  })

  test('count of a trigger with an event', () => {
    const triggers = [{ event: 'tools/call' }, { event: 'x', count: 4 }, { after: '5s' }, { event: 'x', after: '5s' }]
    const attack = { execution: { phases: triggers.map((trigger, index) => ({ name: `p${index}`, trigger })) } }
    const { execution } = runStep('N-001', attack) as { execution: { phases: { trigger: unknown }[] } }
    expect(execution.phases.map((phase) => phase.trigger)).toEqual([
      { event: 'tools/call', count: 1 },
      { event: 'x', count: 4 },
      { after: '5s' },
      { event: 'x', after: '5s', count: 1 },
    ])
  })
})
