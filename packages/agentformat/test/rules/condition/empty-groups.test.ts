import { expect, test } from 'vitest'
import { findings, steps, testRule } from '../harness.ts'

const loop = (condition: string) => ({
  policy: steps('loop', ['a'], `exit_condition: ${condition}`),
  agents: { a: {} },
})
const at = 'execution_policy.config.exit_condition'

testRule('OPEN-17', 'empty_condition', {
  severity: 'warning',
  // An empty group that is written out is intended.
  valid: [loop('{ args_match: {} }'), loop('[{ args_match: { a.output.x: 1 } }]')],
  invalid: [
    [loop('{ arg_match: { a.output.x: 1 } }'), `${at}.arg_match`],
    [loop('{}'), at],
    [loop('[{ args_match: {} }, {}]'), `${at}[1]`],
    [
      {
        policy: '{ id: agf.conditional, config: { routes: [{ when: {}, agent: a }] } }',
        agents: { a: {} },
      },
      'execution_policy.config.routes[0].when',
    ],
    [
      { space: '{ local_tools: [{ alias: a, approval: { condition: {} } }] }' },
      'action_space.local_tools[0].approval.condition',
    ],
  ],
  message: 'it always matches. Did you mean "args_match"?',
})

test('OPEN-17 has a high level', () => {
  expect(findings('OPEN-17', 'empty_condition', loop('{}'))).toMatchObject([{ level: 'high' }])
})
