import { expect, test } from 'vitest'
import { load } from '../../../src/load.ts'
import { testRule } from '../harness.ts'

testRule('W-103', {
  valid: [
    'attack: { execution: { phases: [{ name: phase-2 }, { name: betray }] } }',
    'attack: { execution: { phases: [{ name: phase-1 }, {}] } }',
    'attack: { indicators: [{ id: indicator-01 }, {}] }',
    'attack: { id: ACME-001, indicators: [{ id: indicator-02 }, {}] }',
  ],
  invalid: [
    ['attack: { execution: { phases: [{ name: phase-2 }, {}] } }', 'attack.execution.phases[0].name'],
    [
      'attack: { execution: { actors: [{ phases: [{ name: phase-2 }, {}] }] } }',
      'attack.execution.actors[0].phases[0].name',
    ],
    ['attack: { indicators: [{ id: indicator-02 }, {}] }', 'attack.indicators[0].id'],
    ['attack: { id: ACME-001, indicators: [{}, { id: ACME-001-01 }] }', 'attack.indicators[1].id'],
  ],
  message: 'phase name "phase-2" conflicts with the name generated for an unnamed phase',
})

test('such a document is valid, and is loaded with a warning for each', () => {
  const loaded = load(`
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - { name: phase-2, state: { tools: [] }, trigger: { event: tools/call } }
      - {}
  indicators:
    - { id: indicator-02, target: name, pattern: { contains: a } }
    - { target: name, pattern: { contains: b } }
`)
  expect(loaded.ok && loaded.value.warnings.map(({ code, path }) => [code, path])).toEqual([
    ['W-103', 'attack.execution.phases[0].name'],
    ['W-103', 'attack.indicators[0].id'],
  ])
})
