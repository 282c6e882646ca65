import { testRule } from '../harness.ts'

const condition = (key: string) => `approval: { condition: { args_match: { "${key}": 5 } } }`
const tool = (key: string) => ({ space: `{ local_tools: [{ alias: t, ${condition(key)} }] }` })
const agent = 'local_agents: [{ alias: clerk, source: ./clerk.agf.yaml }]'
const at = 'action_space.local_tools[0].approval.condition.args_match'

testRule('OPEN-39', 'invalid_path_expression', {
  valid: [
    tool('amount'),
    // An argument may have dots and brackets in its name.
    tool('a.b'),
    tool('user.input.name'),
    tool('filter[name]'),
    tool('list[]'),
    tool('parent'),
    { space: `{ local_agents: [{ alias: a, source: ./a.agf.yaml, ${condition('parent.input.amount')} }] }` },
    { space: `{ remote_agents: [{ alias: a, ${condition('parent.input.amount')} }] }` },
  ],
  invalid: [
    [tool('parent.input.amount'), `${at}.parent.input.amount`],
    [tool('parent.output.amount'), `${at}.parent.output.amount`],
    [tool('items.[].x'), `${at}.items.[].x`],
    [tool('[].x'), `${at}.[].x`],
    [
      { space: `{ local_tools: [{ alias: t, ${condition('clerk.output.amount')} }], ${agent} }` },
      `${at}.clerk.output.amount`,
    ],
    [
      { space: `{ mcp_servers: [{ alias: s, ${condition('parent.input.amount')} }] }` },
      'action_space.mcp_servers[0].approval.condition.args_match.parent.input.amount',
    ],
    [
      { space: `{ mcp_servers: [{ alias: s, allowed_tools: [{ name: pay, ${condition('items.[].x')} }] }] }` },
      'action_space.mcp_servers[0].allowed_tools[0].approval.condition.args_match.items.[].x',
    ],
    [
      { space: `{ remote_agents: [{ alias: s, allowed_skills: [{ id: pay, ${condition('items.[].x')} }] }] }` },
      'action_space.remote_agents[0].allowed_skills[0].approval.condition.args_match.items.[].x',
    ],
  ],
  severity: 'warning',
  message: 'got the path "parent.input.amount", which never matches. Did you mean "amount"?',
})
