import { testRule } from '../harness.ts'

const agents = { a: {} }
const batch = (text: string) => ({
  policy: `{ id: agf.batch, config: { agent: a, input_mapping: { x: "${text}" } } }`,
  agents,
})

testRule('P-07', 'invalid_path_expression', {
  valid: [batch('parent.input.items.[].value')],
  invalid: [
    [batch('parent.input.matrix.[].rows.[].value'), 'execution_policy.config.input_mapping.x'],
    [
      {
        space:
          '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { "parent.input.a.[].b.[]": 1 } } } }] }',
      },
      'action_space.local_agents[0].approval.condition.args_match.parent.input.a.[].b.[]',
    ],
  ],
  message: 'a path has at most one "[]"',
})
