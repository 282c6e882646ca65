import { indicator, testLint, withState } from '../harness.ts'

const looking = (mode: string, ...lines: string[]) =>
  withState(mode, 'x-nothing: 1', indicator(...lines, 'pattern: { contains: x }'))
const here = 'attack.indicators[0].target'

testLint('L-022', {
  valid: [
    looking('mcp_server', 'direction: request', 'target: name'),
    looking('mcp_server', 'direction: request', 'target: arguments.path'),
    looking('a2a_server', 'direction: response', 'target: name'),
    looking('a2a_server', 'direction: request', 'target: message.parts[*].text'),
    looking('a2a_server', 'direction: request', 'target: names'),
    looking('ag_ui_client', 'target: name'),
    looking('mail_server', 'target: arguments'),
  ],
  invalid: [
    [looking('a2a_server', 'direction: request', 'target: name'), here],
    [looking('a2a_server', 'target: arguments.document'), here],
    [looking('ag_ui_client', 'target: arguments.path'), here],
  ],
  messages: ['has no tool or skill name', 'has no arguments', '"_arguments" of tool_call_end'],
})
