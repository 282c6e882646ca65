import { testRule } from '../harness.ts'

const indicator = (mode: string, fields: string) => `attack: {execution: {mode: ${mode}}, indicators: [{${fields}}]}`
const path = 'attack.indicators[0].surface'

testRule('V-018', {
  valid: [
    indicator('mcp_server', 'surface: tools/call'),
    indicator('mcp_server', 'surface: agent_card/get, protocol: a2a'),
    indicator('ag_ui_client', 'surface: run_agent_input'),
    indicator('voice_server', 'surface: anything'),
    indicator('mcp_server', 'surface: anything, protocol: voice'),
    indicator('mcp_server', 'target: a'),
    'attack: {indicators: [{surface: anything}]}',
  ],
  invalid: [
    [indicator('mcp_server', 'surface: tool/call'), path],
    [indicator('mcp_server', 'surface: agent_card/get'), path],
    [indicator('mcp_server', 'surface: tools/call, protocol: a2a'), path],
    ['attack: {indicators: [{surface: TOOL_CALL_START, protocol: ag_ui}]}', path],
    [indicator('mcp_server', 'surface: ""'), path],
  ],
  message: 'unknown surface "tool/call" for mcp. Did you mean "tools/call"?',
})
