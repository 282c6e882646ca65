import { testRule } from '../harness.ts'

const execution = (fields: string) => `attack: { execution: { ${fields} } }`

testRule('V-009', {
  valid: [
    execution('state: {}'),
    execution('phases: [{ state: { tools: [] } }, { name: second }]'),
    execution('phases: []'),
    execution('actors: [{ phases: [{ state: {} }] }, {}]'),
  ],
  invalid: [
    [execution('phases: [{ name: first }, { state: {} }]'), 'attack.execution.phases[0]'],
    [execution('actors: [{ phases: [{ state: {} }] }, { phases: [{}] }]'), 'attack.execution.actors[1].phases[0]'],
    [execution('phases: [{ state: null }]'), 'attack.execution.phases[0].state'],
    [execution('phases: [{ state: {} }, { state: [tools] }]'), 'attack.execution.phases[1].state'],
    [execution('state: tools'), 'attack.execution.state'],
  ],
  message: 'the field "state" is required in the first phase',
})
