import { testLint, withActors, withPhases } from '../harness.ts'

const two = (mode: string, state: string, trigger: string, rest = '') =>
  withPhases(mode, `- name: first\n  state: { ${state} }\n  trigger: { ${trigger} }\n${rest}- state: { x-last: 1 }`)
const second = 'attack.execution.phases[1]'

testLint('L-003', {
  valid: [
    two('mcp_server', 'tools: []', 'event: tools/call, count: 99'),
    two('mcp_server', 'tools: []', 'event: tools/call, match: { arguments.any.thing: 1 }'),
    two('mcp_server', 'tools: []', 'event: tools/dance'),
    two('mcp_server', 'tools: []', 'event: notifications/message, after: 5s'),
    two('mcp_client', 'actions: [{ method: tools/call }]', 'event: tools/call, match: { isError: true }'),
    two('mcp_client', 'actions: [{ method: tools/call }]', 'event: tools/call, match: { nothing: { exists: false } }'),
    two('mcp_client', 'actions: []', 'event: initialize'),
    two('mcp_client', 'actions: []', 'event: sampling/createMessage, match: { systemPrompt: x }'),
    two('mcp_client', 'actions: [{ method: "{{what}}" }]', 'event: tools/call'),
    two('mcp_client', 'actions: [{ method: ping }, { method: ping }]', 'event: ping, count: 2'),
    two('mcp_client', 'actions: []', 'event: ping', '').replace(
      'actions: []',
      'actions: [] }\n        on_enter: [{ send: { method: ping } }]\n        x-open: {',
    ),
    // The answer may come late, and a state may be inherited.
    withPhases(
      'mcp_client',
      '- state: { actions: [{ method: ping }] }\n  trigger: { after: 1s }\n- trigger: { event: ping, count: 2 }\n- state: {}',
    ),
    two(
      'a2a_client',
      'actions: [{ method: message/stream }]',
      'event: task/status, count: 5, match: { status.state: x }',
    ),
    two('a2a_client', 'actions: [{ method: message/stream }]', 'event: message/stream, count: 5'),
    two('ag_ui_client', 'run_agent_input: {}', 'event: run_finished, count: 3'),
    two('ag_ui_client', 'run_agent_input: {}', 'event: tool_call_start, match: { toolCallName: x }'),
    two('mail_server', 'x: 1', 'event: mail'),
  ],
  invalid: [
    [two('mcp_server', 'tools: []', 'event: notifications/message'), second],
    [two('a2a_server', 'task_responses: []', 'event: task/status'), second],
    [two('mcp_client', 'actions: [{ method: tools/list }]', 'event: tools/call'), second],
    [two('mcp_client', 'actions: [{ method: ping }, { method: ping }]', 'event: ping, count: 3'), second],
    [two('a2a_client', 'actions: [{ method: message/send }]', 'event: task/artifact'), second],
    [two('a2a_client', 'actions: [{ method: message/send }]', 'event: agent_card/get'), second],
    [two('mcp_server', 'tools: []', 'event: tools/call, match: { params.name: x }'), second],
    [
      withActors(`- name: one
  mode: mcp_client
  phases:
    - { state: { actions: [] }, trigger: { event: tools/list } }
    - { state: { actions: [] }, trigger: { event: tools/list } }
    - { state: { actions: [] } }`),
      'attack.execution.actors[0].phases[1]',
    ],
  ],
  messages: [
    'unreachable phase: the trigger of "first" cannot fire, because a mcp_server never receives "notifications/message"',
    'because an a2a_server never receives "task/status"',
    'because no action sends tools/call, so no tools/call is received',
    'because it waits for 3 responses to ping, which is sent 2 times',
    'because no action sends message/stream or tasks/resubscribe, so no task/artifact is received',
    'because no action sends agent_card/get',
    'because no tools/call has "params.name", which the trigger requires',
    'the trigger of "phase-1" cannot fire',
  ],
})
