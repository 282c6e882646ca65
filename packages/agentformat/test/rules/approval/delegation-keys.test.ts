import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const local = (key: string) => ({
  space: `{ local_agents: [{ alias: a, source: ./a.agf.yaml, approval: { condition: { args_match: { "${key}": 5 } } } }] }`,
})
const at = 'action_space.local_agents[0].approval.condition.args_match'

testRule('P-20', 'invalid_path_expression', {
  valid: [
    local('parent.input.amount'),
    local('parent.input.order.amount'),
    // Arguments of a call are plain names, with or without dots (OPEN-39).
    { space: '{ local_tools: [{ alias: a, approval: { condition: { args_match: { amount: 5, "a.b": 1 } } } }] }' },
    {
      space:
        '{ remote_agents: [{ alias: a, allowed_skills: [{ id: s, approval: { condition: { args_match: { amount: 5 } } } }] }] }',
    },
  ],
  invalid: [
    [local('amount'), `${at}.amount`],
    [local('parent.output.amount'), `${at}.parent.output.amount`],
    [local('a.input.amount'), `${at}.a.input.amount`],
    [
      { space: '{ remote_agents: [{ alias: a, approval: { condition: [{ args_match: { amount: 5 } }] } }] }' },
      'action_space.remote_agents[0].approval.condition[0].args_match.amount',
    ],
  ],
  message: 'write "parent.input.amount" instead of "amount"',
})

test('P-20, A-09, OPEN-39: the message for a key without a name shows the expected form', () => {
  expect(findings('P-20', 'invalid_path_expression', local('-'))[0]?.message).toContain('parent.input.<field>')
})
