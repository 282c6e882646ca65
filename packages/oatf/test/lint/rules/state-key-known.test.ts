import { testLint, withPhases, withState } from '../harness.ts'

testLint('L-006', {
  valid: [
    withState('mcp_server', 'tools: []\nx-mine: 1'),
    withState('mcp_client', 'actions: []\nroots: []'),
    withState('ag_ui_client', 'run_agent_input: {}\ntool_responses: []'),
    withState('mail_server', 'anything: 1'),
  ],
  invalid: [
    [withState('mcp_server', 'serverInfo: {}\ntools: []'), 'attack.execution.state.serverInfo'],
    [withState('a2a_server', 'task: {}'), 'attack.execution.state.task'],
    [
      withPhases(
        'ag_ui_client',
        '- state: { run_agent_input: {} }\n  trigger: { after: 1s }\n- state: { tool_response: [], actions: [] }',
      ),
      'attack.execution.phases[1].state.tool_response',
      'attack.execution.phases[1].state.actions',
    ],
  ],
  messages: [
    '"serverInfo" has no effect: a state of mcp_server has no such key. Did you mean "server_info"?',
    'It knows agent_card, task_responses.',
    'Did you mean "tool_responses"?',
  ],
})
