import { testRule } from '../harness.ts'

const actors = (...items: string[]) => `attack: { execution: { actors: [${items.join(', ')}] } }`

testRule('V-044', {
  valid: [
    actors('{ mode: mcp_server, phases: [{ mode: mcp_server }, {}] }'),
    actors('{ phases: [{ mode: mcp_server }] }'),
    'attack: { execution: { mode: mcp_server, phases: [{ mode: mcp_server }] } }',
    // Without `execution.mode` there is nothing to match: V-028 looks at the modes of the phases.
    'attack: { execution: { phases: [{ mode: mcp_server }, { mode: mcp_client }] } }',
  ],
  invalid: [
    [actors('{ mode: mcp_server, phases: [{ mode: mcp_client }] }'), 'attack.execution.actors[0].phases[0].mode'],
    [
      actors('{ mode: mcp_server }', '{ mode: a2a_server, phases: [{}, { mode: mcp_server }] }'),
      'attack.execution.actors[1].phases[1].mode',
    ],
    // The phases of this form become one actor with that mode.
    ['attack: { execution: { mode: mcp_server, phases: [{ mode: mcp_client }] } }', 'attack.execution.phases[0].mode'],
  ],
  message: 'expected the mode of the actor, "mcp_server", got "mcp_client"',
})
