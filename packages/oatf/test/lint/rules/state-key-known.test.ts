import { testLint, withPhases, withState } from '../harness.ts'

testLint('L-006', {
  valid: [
    withState('mcp_server', 'tools: []\nx-mine: 1'),
    withState('mcp_client', 'actions: []\nroots: []'),
    withState('ag_ui_client', 'run_agent_input: {}\ntool_responses: []'),
    withState('mail_server', 'anything: 1'),
    // Misspelled, which is a finding of its own.
    withState('mcp_server', 'serverInfo: {}\ntools: []'),
  ],
  invalid: [
    [withState('mcp_server', 'banner: {}\ntools: []'), 'attack.execution.state.banner'],
    [withState('a2a_server', 'task: {}'), 'attack.execution.state.task'],
    [
      withPhases(
        'ag_ui_client',
        '- state: { run_agent_input: {} }\n  trigger: { after: 1s }\n- state: { events: [], actions: [] }',
      ),
      'attack.execution.phases[1].state.events',
      'attack.execution.phases[1].state.actions',
    ],
    [withState('mcp_client', 'actions: []\nsampling: []'), 'attack.execution.state.sampling'],
  ],
  messages: [
    'unknown key "banner" in a state of mcp_server; it has no effect. Expected one of: protocol_version, server_info',
    'Expected one of: agent_card, task_responses',
    'unknown key "events"',
    'unknown key "sampling" in a state of mcp_client',
  ],
})
