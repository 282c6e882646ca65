import { indicator, testLint, withState } from '../harness.ts'

const on = (mode: string, surface: string) =>
  withState(mode, 'x-nothing: 1', indicator(`surface: ${surface}`, 'target: ""', 'pattern: { contains: x }'))
const of = (protocol: string, surface: string) =>
  withState(
    'mcp_server',
    'tools: []',
    indicator(`protocol: ${protocol}`, `surface: ${surface}`, 'target: ""', 'pattern: { contains: x }'),
  )
const here = 'attack.indicators[0].surface'

testLint('L-012', {
  valid: [
    on('mcp_server', 'tools/call'),
    on('mcp_server', 'tools/dance'),
    on('a2a_server', 'tasks/send'),
    on('mail_server', 'tool/call'),
    of('workspace', 'file/changed'),
    of('mcp_app', 'app/allowed'),
    withState('mcp_server', 'tools: []', indicator('target: ""', 'pattern: { contains: x }')),
  ],
  invalid: [
    [on('mcp_server', 'tool/call'), here],
    [on('mcp_client', 'call_tool'), here],
    [on('a2a_client', 'messages/send'), here],
    [on('ag_ui_client', 'TEXT_MESSAGE_CONTENT'), here],
    [on('mcp_server', 'tool_respnse'), here],
    [on('ag_ui_client', 'agent_mesage'), here],
    [of('workspace', 'file/change'), here],
    [of('mcp_app', 'tools/call'), here],
  ],
  messages: [
    'unknown surface "tool/call" for mcp, so the indicator never matches. Did you mean "tools/call"?',
    'Did you mean "tools/call"?',
    'Did you mean "message/send"?',
    'Did you mean "text_message_content"?',
    'unknown surface "tool_respnse" for mcp, so the indicator never matches. Did you mean "tools/call"?',
    'Did you mean "text_message_end"?',
    'Did you mean "file/changed"?',
    'Expected one of: app/rendered, app/asked',
  ],
})
