import { testRule } from '../harness.ts'

testRule('OPEN-46', 'alias_clash', {
  severity: 'warning',
  valid: [{ space: '{ local_tools: [{ alias: a }, { alias: a }], mcp_servers: [{ alias: b }] }' }],
  invalid: [
    [
      { space: '{ local_tools: [{ alias: a }], remote_agents: [{ alias: a }] }' },
      'action_space.remote_agents[0].alias',
    ],
  ],
  message: 'the alias "a" is also in local_tools',
})
