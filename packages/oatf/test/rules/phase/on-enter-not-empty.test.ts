import { testRule } from '../harness.ts'

const phases = (...items: string[]) => `attack: { execution: { phases: [${items.join(', ')}] } }`

testRule('V-043', {
  valid: [phases('{}'), phases('{ on_enter: [{}] }'), 'attack: { execution: { state: { on_enter: [] } } }'],
  invalid: [
    [phases('{ on_enter: [] }'), 'attack.execution.phases[0].on_enter'],
    [phases('{}', '{ on_enter: null }'), 'attack.execution.phases[1].on_enter'],
    [phases('{ on_enter: {} }'), 'attack.execution.phases[0].on_enter'],
    [
      'attack: { execution: { actors: [{}, { phases: [{}, { on_enter: [] }] }] } }',
      'attack.execution.actors[1].phases[1].on_enter',
    ],
  ],
  message: 'expected at least one entry, got an empty list',
})
