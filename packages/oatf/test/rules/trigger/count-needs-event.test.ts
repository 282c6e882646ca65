import { testRule } from '../harness.ts'

const trigger = (fields: string) => `attack: { execution: { phases: [{ trigger: ${fields} }] } }`

testRule('V-019', {
  valid: [
    trigger('{ event: tools/call, count: 3, match: { name: weather } }'),
    trigger('{ after: 5m }'),
    trigger('{}'),
    trigger('count'),
  ],
  invalid: [
    [trigger('{ count: 3, match: { name: weather } }'), 'attack.execution.phases[0].trigger'],
    [trigger('{ after: 5m, count: 3 }'), 'attack.execution.phases[0].trigger'],
    [trigger('{ match: { name: weather } }'), 'attack.execution.phases[0].trigger'],
    [
      'attack: { execution: { actors: [{ phases: [{}, { trigger: { count: 1 } }] }] } }',
      'attack.execution.actors[0].phases[1].trigger',
    ],
  ],
  message: '"count" and "match" require an "event"',
})
