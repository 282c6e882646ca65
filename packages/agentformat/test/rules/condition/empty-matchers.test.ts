import { testRule } from '../harness.ts'

const tool = (matcher: string) => ({
  space: `{ local_tools: [{ alias: a, approval: { condition: { args_match: { x: ${matcher} } } } }] }`,
})
const at = 'action_space.local_tools[0].approval.condition.args_match.x'

testRule('OPEN-16', 'empty_condition', {
  severity: 'warning',
  valid: [tool('{ gte: 1, lt: 5 }'), tool('""'), tool('{ in: [1], not_in: [2] }')],
  invalid: [
    [tool('{}'), at],
    [tool('{ in: [] }'), `${at}.in`],
    [tool('{ not_in: [], ne: 1 }'), `${at}.not_in`],
  ],
  message: 'without an operator this holds for every value',
})
