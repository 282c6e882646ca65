import { steps, testRule } from '../harness.ts'

const agents = { a: {} }
const route = (when: string, mapping: string) => ({
  policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: { "${when}": 1 } }, agent: a, input_mapping: { x: "${mapping}" } }] } }`,
  agents,
})

testRule('P-11', 'invalid_path_expression', {
  valid: [
    { policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }', agents },
    route('parent.input.x', 'parent.input.y'),
  ],
  invalid: [
    [
      { policy: steps('sequential', ['a <- x: "parent.input.items.[].value"']), agents },
      'execution_policy.config.steps[0].input_mapping.x',
    ],
    [
      { policy: steps('parallel', ['a <- x: "parent.input.items.[]"']), agents },
      'execution_policy.config.agents[0].input_mapping.x',
    ],
    [route('parent.input.x', 'parent.input.items.[]'), 'execution_policy.config.routes[0].input_mapping.x'],
    [
      route('parent.input.items.[]', 'parent.input.y'),
      'execution_policy.config.routes[0].when.args_match.parent.input.items.[]',
    ],
    [
      { policy: steps('loop', ['a'], 'exit_condition: { args_match: { "a.output.items.[].x": 1 } }'), agents },
      'execution_policy.config.exit_condition.args_match.a.output.items.[].x',
    ],
    [
      {
        space:
          '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { "parent.input.a.[]": 1 } } } }] }',
      },
      'action_space.local_agents[0].approval.condition.args_match.parent.input.a.[]',
    ],
  ],
  message: '"[]" is allowed only in the input_mapping of agf.batch',
})
