import { testRule } from '../harness.ts'

const execution = (fields: string) => `attack: { execution: { ${fields} } }`
const protocol = (value: string) => `attack: { indicators: [{ protocol: ${value} }] }`

testRule('V-034', {
  valid: [
    execution('mode: mcp_server, state: {}'),
    execution('mode: voice_2_client, state: {}'),
    execution('phases: [{ mode: a2a_server }, {}]'),
    execution('actors: [{ mode: ag_ui_client, phases: [{}] }, {}]'),
    protocol('mcp'),
    protocol('voice_2'),
  ],
  invalid: [
    [execution('mode: mcp-server, state: {}'), 'attack.execution.mode'],
    [execution('mode: mcp, phases: [{}]'), 'attack.execution.mode'],
    [execution('mode: _server, state: {}'), 'attack.execution.mode'],
    [execution('mode: 5, state: {}'), 'attack.execution.mode'],
    [execution('phases: [{ mode: mcp_server }, { mode: attacker }]'), 'attack.execution.phases[1].mode'],
    [
      execution('actors: [{ mode: MCP_server, phases: [{ mode: mcp_peer }] }]'),
      'attack.execution.actors[0].mode',
      'attack.execution.actors[0].phases[0].mode',
    ],
    [protocol('AG-UI'), 'attack.indicators[0].protocol'],
    [protocol('2a'), 'attack.indicators[0].protocol'],
    [protocol('null'), 'attack.indicators[0].protocol'],
  ],
  message:
    'invalid mode "mcp-server": expected a snake_case protocol, then "_server" or "_client". Did you mean "mcp_server"?',
})
