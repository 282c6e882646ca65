import { testRule } from '../harness.ts'

const document = (execution: string, indicator: string) =>
  `attack: {execution: {${execution}}, indicators: [{${indicator}}]}`
const path = 'attack.indicators[0].protocol'

testRule('W-005', {
  valid: [
    document('mode: mcp_server, state: {}', 'protocol: mcp'),
    document('mode: mcp_server, state: {}', 'target: a'),
    document('actors: [{mode: mcp_client}, {mode: a2a_server}]', 'protocol: a2a'),
    document('phases: [{mode: a2a_client}]', 'protocol: a2a'),
    document('actors: [{phases: []}]', 'protocol: a2a'),
    document('actors: [{mode: mcp_client}, {mode: a2aserver}]', 'protocol: a2a'),
    'attack: {indicators: [{protocol: a2a}, text]}',
  ],
  invalid: [
    [document('mode: mcp_server, state: {}', 'protocol: a2a'), path],
    [document('actors: [{mode: mcp_server}, {mode: a2a_server}]', 'protocol: ag_ui'), path],
    [document('phases: [{mode: mcp_client}]', 'protocol: a2a'), path],
    [document('mode: voice_server, state: {}', 'protocol: a2a'), path],
    [document('mode: mcp_server, state: {}', 'protocol: voice'), path],
  ],
  message: 'no actor uses the protocol "a2a", so the indicator can never match; actors use "mcp"',
})
