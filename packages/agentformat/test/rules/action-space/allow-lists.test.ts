import { testRule } from '../harness.ts'

testRule('OPEN-44', 'duplicate_entry', {
  valid: [
    { space: '{ mcp_servers: [{ alias: a, allowed_tools: [x, { name: y }] }, { alias: b, allowed_tools: [x] }] }' },
  ],
  invalid: [
    [
      { space: '{ mcp_servers: [{ alias: a, allowed_tools: [x, { name: x, approval: true }] }] }' },
      'action_space.mcp_servers[0].allowed_tools[1].name',
    ],
    [
      { space: '{ remote_agents: [{ alias: a, allowed_skills: [{ id: x }, { id: x }, x] }] }' },
      'action_space.remote_agents[0].allowed_skills[1].id',
      'action_space.remote_agents[0].allowed_skills[2]',
    ],
  ],
  message: 'duplicate entry "x" in the allow list of "a"',
})

testRule('OPEN-44', 'empty_allow_list', {
  severity: 'warning',
  valid: [
    { space: '{ mcp_servers: [{ alias: a }] }' },
    {
      space: '{ mcp_servers: [{ alias: a, allowed_tools: [x] }], remote_agents: [{ alias: b, allowed_skills: [y] }] }',
    },
  ],
  invalid: [
    [{ space: '{ mcp_servers: [{ alias: a, allowed_tools: [] }] }' }, 'action_space.mcp_servers[0].allowed_tools'],
    [
      { space: '{ remote_agents: [{ alias: a, allowed_skills: [] }] }' },
      'action_space.remote_agents[0].allowed_skills',
    ],
  ],
  message: 'empty allow list: nothing of "a" can be used',
})
