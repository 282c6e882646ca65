import { testLint, withPhases, withState } from '../harness.ts'

const client = (state: string) => withState('mcp_client', state)
const sampling = 'sampling_responses: [{ content: {} }]'

testLint('L-025', {
  valid: [
    client('actions: []'),
    client('sampling_responses: []'),
    client(`capabilities: { sampling: {} }\n${sampling}`),
    client(`capabilities: { sampling: {}, elicitation: {} }\n${sampling}\nelicitation_responses: [{ content: {} }]`),
    withState('mcp_server', 'tools: []'),
    withPhases(
      'mcp_client',
      `- state: { capabilities: { sampling: {} } }\n  trigger: { event: initialize }\n- state: { ${sampling} }`,
    ),
  ],
  invalid: [
    [client(sampling), 'attack.execution.state.sampling_responses'],
    [
      client(`capabilities: { sampling: {} }\nelicitation_responses: [{ content: {} }]`),
      'attack.execution.state.elicitation_responses',
    ],
    [
      withPhases(
        'mcp_client',
        `- state: { actions: [] }\n  trigger: { event: initialize }\n- state: { capabilities: { sampling: {} }, ${sampling} }`,
      ),
      'attack.execution.phases[1].state.sampling_responses',
    ],
  ],
  messages: [
    'sampling_responses may never be used: servers send no sampling requests to a client that does not declare sampling; add sampling: {} to "capabilities"',
    'add elicitation: {} to "capabilities"',
    'does not declare sampling',
  ],
})
