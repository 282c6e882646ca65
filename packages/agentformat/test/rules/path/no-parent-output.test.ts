import { steps, testRule } from '../harness.ts'

const agents = { a: {} }

testRule('OPEN-7', 'dependency_order', {
  valid: [
    { policy: steps('sequential', ['a <- x: parent.input.y', 'a <- x: a.output.y']), agents },
    // P-20 checks conditions on delegations.
    {
      space:
        '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { parent.output.y: 1 } } } }] }',
    },
  ],
  invalid: [
    [
      { policy: steps('sequential', ['a <- x: parent.output.y']), agents },
      'execution_policy.config.steps[0].input_mapping.x',
    ],
    [
      { policy: steps('loop', ['a'], 'exit_condition: { args_match: { parent.output.y: 1 } }'), agents },
      'execution_policy.config.exit_condition.args_match.parent.output.y',
    ],
  ],
  message: 'this agent has no output until its policy has finished',
})
