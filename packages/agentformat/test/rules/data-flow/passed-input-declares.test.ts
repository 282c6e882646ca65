import { object, steps, testRule } from '../harness.ts'

const pass = (own: string, input: string) => ({
  input: own,
  policy: steps('parallel', ['a']),
  agents: { a: { input } },
})
const at = 'execution_policy.config.agents[0].agent'

testRule('OPEN-23', 'unresolved_field', {
  severity: 'warning',
  valid: [
    pass(object('x: string, y: string'), object('x: string, y: string', 'x, y')),
    pass(object('x: string'), object('y: string')),
    // What can never fit is already an error.
    pass('{ type: string }', object('x: string', 'x')),
  ],
  invalid: [
    [pass(object('x: string'), object('x: string, y: string', 'x, y')), at],
    [
      {
        input: object('x: string'),
        policy: steps('parallel', ['text', 'a']),
        agents: { text: { input: '{ type: string }' }, a: { input: object('y: string', 'y') } },
      },
      'execution_policy.config.agents[1].agent',
    ],
  ],
  message: '"a" has no input_mapping and requires what parent.input does not declare: "y"',
})
