import { testLint, withPhases, withState } from '../harness.ts'

const waiting = (mode: string, event: string) =>
  withPhases(mode, `- state: { x-nothing: 1 }\n  trigger: { event: ${event} }\n- state: { x-nothing: 2 }`)
const sending = (action: string) => withState('mcp_client', `actions: [${action}]`)
const entering = (mode: string, action: string) =>
  withPhases(mode, `- state: { x-nothing: 1 }\n  on_enter: [${action}]`)
const event = 'attack.execution.phases[0].trigger.event'
const action = 'attack.execution.state.actions[0]'
const entry = 'attack.execution.phases[0].on_enter[0]'

testLint('L-013', {
  valid: [
    waiting('mcp_server', 'tools/call'),
    waiting('mcp_server', 'tools/dance'),
    // An event that the protocol has but this mode does not see is not a misspelling.
    waiting('mcp_server', 'notifications/message'),
    waiting('mail_server', 'tool/call'),
    withState('mcp_server', 'banner: 1\nx-tols: 2\ntools: []'),
    // What an attacker sends may be anything.
    sending('{ method: tools/cal }, { method: tools/dance }, { method: tools/call, call_tool: 1 }, text'),
    sending('{ params: {} }'),
    entering('mcp_server', '{ send: { method: notifications/message } }, { log: { message: x }, x-call_tool: 1 }'),
    entering('mcp_server', '{ dance: {} }'),
  ],
  invalid: [
    [waiting('mcp_server', 'tool/call'), event],
    [waiting('ag_ui_client', 'run_start'), event],
    [withState('mcp_server', 'serverInfo: {}\ntool: []'), state('serverInfo'), state('tool')],
    [withState('ag_ui_client', 'run_agent_inputs: {}'), state('run_agent_inputs')],
    [sending('{ method: call_tool, params: { name: a } }'), `${action}.method`],
    [sending('{ call_tool: { name: a } }'), `${action}.call_tool`],
    [sending('list_tools'), action],
    [entering('a2a_client', '{ send: { method: sendMessage } }'), `${entry}.send.method`],
    [entering('mcp_client', '{ call_tool: { name: a } }'), `${entry}.call_tool`],
    [entering('mcp_server', '{ sned: { method: notifications/message } }'), `${entry}.sned`],
  ],
  messages: [
    'unknown event "tool/call" for mcp_server, so the trigger never fires. Did you mean "tools/call"?',
    'Did you mean "run_started"?',
    'unknown key "serverInfo" in a state of mcp_server; it has no effect. Did you mean "server_info"?',
    'Did you mean "run_agent_input"?',
    'unknown method "call_tool". Did you mean "tools/call"?',
    '"call_tool" is not sent; write method: tools/call and put its parameters under "params"',
    '"list_tools" is not sent; write { method: tools/list }',
    'Did you mean "message/send"?',
    '"call_tool" is not sent; write send: { method: tools/call }',
    'unknown entry action "sned" for mcp_server; it has no effect. Did you mean "send"?',
  ],
})

function state(key: string): string {
  return `attack.execution.state.${key}`
}
