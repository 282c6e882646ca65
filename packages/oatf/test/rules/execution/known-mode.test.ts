import { testRule } from '../harness.ts'

const execution = (fields: string) => `attack: { execution: { ${fields} } }`

testRule('W-002', {
  valid: [
    execution('mode: mcp_server, state: {}'),
    execution('actors: [{ mode: mcp_client }, { mode: a2a_server }, { mode: a2a_client }, { mode: ag_ui_client }]'),
    // Not a mode at all, which is another rule's finding.
    execution('mode: mpc, state: {}'),
    execution('mode: [mpc_server], state: {}'),
  ],
  invalid: [
    [execution('mode: mpc_server, state: {}'), 'attack.execution.mode'],
    [execution('mode: ag_ui_server, state: {}'), 'attack.execution.mode'],
    [execution('mode: voice_server, phases: [{}, {}]'), 'attack.execution.mode'],
    [execution('phases: [{ mode: voice_server }]'), 'attack.execution.phases[0].mode'],
    [execution('actors: [{ mode: mcp_server }, { mode: voice_client }]'), 'attack.execution.actors[1].mode'],
  ],
  message: 'unknown mode "mpc_server". Did you mean "mcp_server"?',
})
