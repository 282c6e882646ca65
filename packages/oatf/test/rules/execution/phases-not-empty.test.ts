import { testRule } from '../harness.ts'

const execution = (fields: string) => `attack: { execution: { ${fields} } }`

testRule('V-007', {
  valid: [
    execution('state: {}'),
    execution('phases: [{ state: {} }]'),
    execution('actors: [{ phases: [{ state: {} }] }]'),
    execution('actors: [{ name: absent }]'),
  ],
  invalid: [
    [execution('phases: []'), 'attack.execution.phases'],
    [execution('phases: { state: {} }'), 'attack.execution.phases'],
    [execution('phases: null'), 'attack.execution.phases'],
    [execution('phases: [{ state: {} }, trust]'), 'attack.execution.phases[1]'],
    [
      execution('actors: [{ phases: [] }, { phases: [{}] }, { phases: none }]'),
      'attack.execution.actors[0].phases',
      'attack.execution.actors[2].phases',
    ],
  ],
  message: 'expected at least one phase',
})
