import { steps, testRule } from '../harness.ts'

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
  message: '"far" is a remote agent; agf.sequential runs local agents only',
})
