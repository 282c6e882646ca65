import { testRule } from '../harness.ts'

const attack = (execution: string, ...indicators: string[]) =>
  `attack: { execution: { ${execution} }, indicators: [${indicators.map((fields) => `{ ${fields} }`).join(', ')}] }`
const actor = 'name: server, mode: mcp_server, phases: [{ state: {} }]'

testRule('V-028', {
  valid: [
    attack('mode: mcp_server, phases: [{ state: {} }]', 'target: ""'),
    attack('phases: [{ mode: mcp_server }, { mode: mcp_server }]', 'protocol: mcp'),
    attack(`actors: [{ ${actor} }]`, 'protocol: mcp'),
    attack('state: {}', 'target: ""'),
    attack('', 'target: ""'),
    'attack: { indicators: [{ target: "" }] }',
  ],
  invalid: [
    [attack('phases: [{ mode: mcp_server }, { state: {} }]'), 'attack.execution.phases[1].mode'],
    [attack('phases: [{ mode: mcp_server }, { mode: mcp_client }]'), 'attack.execution.phases'],
    [
      attack('phases: [{ mode: mcp_server }, {}, { mode: a2a_server }]'),
      'attack.execution.phases',
      'attack.execution.phases[1].mode',
    ],
    [attack('phases: [{ mode: mcp_server }]', 'protocol: mcp', 'target: ""'), 'attack.indicators[1].protocol'],
    [attack(`actors: [{ ${actor} }]`, 'target: ""'), 'attack.indicators[0].protocol'],
  ],
  message: 'the field "mode" is required if "execution.mode" is missing',
})
