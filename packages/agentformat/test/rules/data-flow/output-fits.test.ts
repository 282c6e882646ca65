import { expect, test } from 'vitest'
import { findings, object, steps, testRule } from '../harness.ts'

const agents = {
  text: { output: '{ type: string }' },
  object: { output: object('n: integer', 'n') },
  open: { output: '{}' },
}
const config = 'execution_policy.config'

testRule('R-37', 'type_mismatch', {
  valid: [
    { output: '{ type: string }', policy: steps('sequential', ['object', 'text']), agents },
    { output: '{ type: string }', policy: steps('sequential', ['text', 'open']), agents },
    {
      output: object('n: number', 'n'),
      policy: steps('sequential', ['text', 'object', 'text'], 'output_from: object'),
      agents,
    },
    {
      output: '{ type: string }',
      policy: steps('parallel', ['object'], 'output_from: { custom_transform: a.b }'),
      agents,
    },
    {
      output: '{ type: array }',
      policy: '{ id: agf.batch, config: { agent: text, input_mapping: { x: "parent.input.y.[]" } } }',
      agents,
    },
  ],
  invalid: [
    [{ output: '{ type: object }', policy: steps('sequential', ['object', 'text']), agents }, config],
    [
      { output: '{ type: string }', policy: steps('loop', ['object', 'text'], 'output_from: first'), agents },
      `${config}.output_from`,
    ],
    [{ output: '{ type: string }', policy: steps('parallel', ['object']), agents }, config],
    [
      {
        output: object('n: string', 'n'),
        policy:
          '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: object }], default_agent: open } }',
        agents,
      },
      `${config}.routes[0].agent`,
    ],
  ],
  message: 'text.output is string, but must be object',
})

test('R-37 names the part of the result that does not match', () => {
  const nested = { output: object('n: string', 'n'), policy: steps('sequential', ['object']), agents }
  expect(findings('R-37', 'type_mismatch', nested)[0]?.message).toContain(
    'object.output.n is integer, but must be string',
  )
})
