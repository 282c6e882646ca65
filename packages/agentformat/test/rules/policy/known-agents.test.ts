import { steps, testRule } from '../harness.ts'

const agents = { researcher: {} }
const conditional = (route: string, fallback: string) => ({
  policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: ${route} }], default_agent: ${fallback} } }`,
  agents,
})

testRule('R-12', 'unknown_agent', {
  valid: [{ policy: steps('sequential', ['researcher']), agents }, conditional('researcher', 'researcher')],
  invalid: [
    [{ policy: steps('sequential', ['researchr']), agents }, 'execution_policy.config.steps[0].agent'],
    // Without any action space, and with a name that no alias can have.
    [{ policy: steps('parallel', ['"a-b"']) }, 'execution_policy.config.agents[0].agent'],
    [
      { policy: '{ id: agf.batch, config: { agent: unknown, input_mapping: { x: "parent.input.y.[]" } } }', agents },
      'execution_policy.config.agent',
    ],
    [conditional('unknown', 'researcher'), 'execution_policy.config.routes[0].agent'],
    [conditional('researcher', '""'), 'execution_policy.config.default_agent'],
  ],
  message: 'unknown local agent "researchr". Did you mean "researcher"?',
})

testRule('OPEN-25', 'unknown_agent', {
  valid: [
    // The name refers to the local agent.
    {
      policy: steps('sequential', ['a']),
      space: '{ local_agents: [{ alias: a, source: x }], remote_agents: [{ alias: a }] }',
    },
  ],
  invalid: [
    [
      { policy: steps('sequential', ['far']), space: '{ remote_agents: [{ alias: far }] }' },
      'execution_policy.config.steps[0].agent',
    ],
  ],
  message: '"far" is a remote agent; agf.sequential can only run local agents',
})
