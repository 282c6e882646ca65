import { testRule } from '../harness.ts'

testRule('V-011', {
  valid: [
    'attack: { execution: { phases: [{ name: trust }, { name: betray }, {}, {}] } }',
    'attack: { execution: { actors: [{ phases: [{ name: trust }] }, { phases: [{ name: trust }] }] } }',
    'attack: { execution: { phases: [{ name: constructor }, { name: __proto__ }] } }',
  ],
  invalid: [
    ['attack: { execution: { phases: [{ name: trust }, { name: trust }] } }', 'attack.execution.phases[1].name'],
    // The name that the second one would get from its position.
    ['attack: { execution: { phases: [{ name: phase-2 }, {}] } }', 'attack.execution.phases[0].name'],
    [
      'attack: { execution: { actors: [{}, { phases: [{ name: a }, { name: b }, { name: a }, { name: a }] }] } }',
      'attack.execution.actors[1].phases[2].name',
      'attack.execution.actors[1].phases[3].name',
    ],
  ],
  message: 'an earlier phase is already called "trust"',
})
