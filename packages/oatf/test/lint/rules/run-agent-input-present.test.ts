import { testLint, withPhases, withState } from '../harness.ts'

testLint('L-016', {
  valid: [
    withState('ag_ui_client', 'run_agent_input: {}'),
    // Reported as a misspelling instead.
    withState('ag_ui_client', 'runAgentInput: {}'),
    withState('mcp_server', 'tools: []'),
    // A phase without a state keeps the one before.
    withPhases('ag_ui_client', '- state: { run_agent_input: {} }\n  trigger: { event: run_finished }\n- name: wait'),
    withPhases(
      'ag_ui_client',
      '- state: { tool_responses: [] }\n  on_enter: [{ send: { method: RUN_AGENT_INPUT, params: {} } }]',
    ),
  ],
  invalid: [
    [withState('ag_ui_client', 'tool_responses: []'), 'attack.execution.state'],
    [
      withPhases(
        'ag_ui_client',
        '- state: { run_agent_input: {} }\n  trigger: { event: run_finished }\n- state: { tool_responses: [] }\n  on_enter: [{ send: { method: tool_call_result } }, { log: { message: x } }]',
      ),
      'attack.execution.phases[1].state',
    ],
  ],
  messages: ['missing "run_agent_input", so the agent is never started', 'missing "run_agent_input"'],
})
