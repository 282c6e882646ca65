import { object, steps, testRule } from '../harness.ts'

const pass = (own: string, input: string) => ({
  input: own,
  policy: steps('sequential', ['a']),
  agents: { a: { input } },
})
const at = 'execution_policy.config.steps[0].agent'

testRule('OPEN-23', 'type_mismatch', {
  valid: [
    pass(object('x: string'), object('x: string', 'x')),
    pass('{ type: string }', '{ type: string }'),
    pass('{}', object('x: string', 'x')),
    // P-14 checks mappings.
    { ...pass('{ type: string }', '{ type: object }'), policy: steps('sequential', ['a <- ']) },
  ],
  invalid: [
    [pass('{ type: string }', '{ type: object }'), at],
    [pass(object('x: string', 'x'), object('x: integer')), at],
    [pass('{ type: object, additionalProperties: false }', object('x: string', 'x')), at],
    [
      {
        input: '{ type: string }',
        policy:
          '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: a }], default_agent: b } }',
        agents: { a: { input: '{ type: string }' }, b: {} },
      },
      'execution_policy.config.default_agent',
    ],
  ],
  message: '"a" has no input_mapping and gets parent.input: parent.input is string, but must be object',
})

const passAlike = (own: string, input: string) => ({
  input: own,
  policy: steps('parallel', ['a']),
  agents: { a: { input } },
})
const first = 'execution_policy.config.agents[0].agent'

testRule('OPEN-23', 'unresolved_field', {
  severity: 'warning',
  valid: [
    passAlike(object('x: string, y: string'), object('x: string, y: string', 'x, y')),
    passAlike(object('x: string'), object('y: string')),
    // A mismatch is already an error.
    passAlike('{ type: string }', object('x: string', 'x')),
  ],
  invalid: [
    [passAlike(object('x: string'), object('x: string, y: string', 'x, y')), first],
    [
      {
        input: object('x: string'),
        policy: steps('parallel', ['text', 'a']),
        agents: { text: { input: '{ type: string }' }, a: { input: object('y: string', 'y') } },
      },
      'execution_policy.config.agents[1].agent',
    ],
  ],
  message: '"a" has no input_mapping, and parent.input does not declare its required fields: "y"',
})
