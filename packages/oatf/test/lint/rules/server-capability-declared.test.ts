import { testLint, withPhases, withState } from '../harness.ts'

const server = (state: string) => withState('mcp_server', state)
const here = 'attack.execution.state.capabilities'

testLint('L-017', {
  valid: [
    server('tools: [{ name: a }]'),
    server('capabilities: { tools: {} }\ntools: [{ name: a }]'),
    server('capabilities: { resources: {} }\nresources: [{ uri: a }]\nresource_templates: [{ uriTemplate: a }]'),
    server('capabilities: {}\ntools: []'),
    withState('mcp_client', 'capabilities: {}\nactions: []'),
    // A later state is judged on its own.
    withPhases(
      'mcp_server',
      '- state: { capabilities: {} }\n  trigger: { event: initialize }\n- state: { tools: [{ name: a }] }',
    ),
  ],
  invalid: [
    [server('capabilities: { sampling: {} }\ntools: [{ name: a }]'), here],
    [server('capabilities: {}\nresource_templates: [{ uriTemplate: a }]\nprompts: [{ name: a }]'), here, here],
  ],
  messages: [
    '"capabilities" lacks tools, so clients never request tools; add tools: {}',
    'clients never request resource_templates; add resources: {}',
  ],
})
