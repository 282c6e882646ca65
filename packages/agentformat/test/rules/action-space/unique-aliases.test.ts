import { testRule } from '../harness.ts'

testRule('R-10', 'duplicate_alias', {
  valid: [
    {},
    { space: '{ local_tools: [{ alias: a }, { alias: b }] }' },
    // The same alias in two lists is a clash, not a duplicate.
    { space: '{ local_tools: [{ alias: a }], mcp_servers: [{ alias: a }] }' },
  ],
  invalid: [
    [{ space: '{ local_tools: [{ alias: a }, { alias: b }, { alias: a }] }' }, 'action_space.local_tools[2].alias'],
    [{ space: '{ mcp_servers: [{ alias: a }, { alias: a }] }' }, 'action_space.mcp_servers[1].alias'],
    [
      { space: '{ local_agents: [{ alias: a, source: x }, { alias: a, source: y }] }' },
      'action_space.local_agents[1].alias',
    ],
    [
      { space: '{ remote_agents: [{ alias: a }, { alias: a }, { alias: a }] }' },
      'action_space.remote_agents[1].alias',
      'action_space.remote_agents[2].alias',
    ],
  ],
  message: 'the alias "a" appears more than once in local_tools',
})
