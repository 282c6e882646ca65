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
    // A target that is not an object is OPEN-14's finding.
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
  message: 'the input of "a" allows no "qery". Did you mean "query"?',
})

test('OPEN-15 is a warning where the schema is open, a quiet one where it names nothing', () => {
  const [known] = findings('OPEN-15', 'undeclared_field', map(object('query: string'), 'qery'))
  expect(known).toMatchObject({ severity: 'warning', path: `${at}.qery` })
  expect(known).not.toHaveProperty('level')
  expect(findings('OPEN-15', 'undeclared_field', map('{ type: object }', 'x'))).toMatchObject([
    { severity: 'warning', level: 'info' },
  ])
})
