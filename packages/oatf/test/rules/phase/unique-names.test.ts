import { testRule } from '../harness.ts'

testRule('V-011', {
  valid: [
    'attack: { execution: { phases: [{ name: trust }, { name: betray }, {}, {}] } }',
    'attack: { execution: { actors: [{ phases: [{ name: trust }] }, { phases: [{ name: trust }] }] } }',
    'attack: { execution: { phases: [{ name: constructor }, { name: __proto__ }] } }',
    // Only explicit names count, not the one that the second gets from its position.
    'attack: { execution: { phases: [{ name: phase-2 }, {}] } }',
  ],
  invalid: [
    ['attack: { execution: { phases: [{ name: trust }, { name: trust }] } }', 'attack.execution.phases[1].name'],
    [
      'attack: { execution: { actors: [{}, { phases: [{ name: a }, { name: b }, { name: a }, { name: a }] }] } }',
      'attack.execution.actors[1].phases[2].name',
      'attack.execution.actors[1].phases[3].name',
    ],
  ],
  message: 'duplicate phase name "trust"',
})
