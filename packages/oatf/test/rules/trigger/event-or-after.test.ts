import { testRule } from '../harness.ts'

const trigger = (fields: string) => `attack: { execution: { phases: [{ trigger: ${fields} }, {}] } }`

testRule('V-040', {
  valid: [trigger('{ event: tools/call }'), trigger('{ after: 5m }'), trigger('{ event: tools/call, after: 5m }')],
  invalid: [
    [trigger('{}'), 'attack.execution.phases[0].trigger'],
    [trigger('{ count: 3 }'), 'attack.execution.phases[0].trigger'],
    [trigger('null'), 'attack.execution.phases[0].trigger'],
    [trigger('[tools/call]'), 'attack.execution.phases[0].trigger'],
    [
      'attack: { execution: { actors: [{ phases: [{ trigger: { match: {} } }] }] } }',
      'attack.execution.actors[0].phases[0].trigger',
    ],
  ],
  message: 'expected "event" or "after"',
})
