import { expect, test } from 'vitest'
import { findings, object, steps, testRule } from '../harness.ts'

const closed = '{ type: object, properties: { query: {} }, additionalProperties: false }'
const map = (input: string, field: string) => ({
  policy: steps('sequential', [`a <- ${field}: parent.input.x`]),
  agents: { a: { input } },
})
const at = 'execution_policy.config.steps[0].input_mapping'

testRule('OPEN-15', 'undeclared_field', {
  valid: [
    map(closed, 'query'),
    map('{ additionalProperties: { type: string } }', 'anything'),
    // OPEN-14 reports a target that is not an object.
    map('{ type: string }', 'query'),
  ],
  invalid: [
    [map(closed, 'qery'), `${at}.qery`],
    [map('{ type: object, properties: { old: false } }', 'old'), `${at}.old`],
    [
      {
        policy: steps('sequential', ['text <- x: parent.input.x', 'a <- query: parent.input.x, z: parent.input.x']),
        agents: { text: { input: '{ type: string }' }, a: { input: closed } },
      },
      'execution_policy.config.steps[1].input_mapping.z',
    ],
  ],
  message: 'the input of "a" does not allow "qery". Did you mean "query"?',
})

test('OPEN-15 is a warning for an open schema, with a low level if it declares nothing', () => {
  const [known] = findings('OPEN-15', 'undeclared_field', map(object('query: string'), 'qery'))
  expect(known).toMatchObject({ severity: 'warning', path: `${at}.qery` })
  expect(known).not.toHaveProperty('level')
  expect(findings('OPEN-15', 'undeclared_field', map('{ type: object }', 'x'))).toMatchObject([
    { severity: 'warning', level: 'info' },
  ])
})
