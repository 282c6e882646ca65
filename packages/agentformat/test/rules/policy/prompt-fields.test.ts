import { expect, test } from 'vitest'
import { findings, object, testRule } from '../harness.ts'

const react = (input: string, template: string) => ({
  input,
  policy: `{ id: agf.react, config: { instructions: Help., model: any, user_prompt_template: '${template}' } }`,
})
const at = 'execution_policy.config.user_prompt_template'

testRule('OPEN-48', 'unknown_variable', {
  severity: 'warning',
  valid: [
    react(object('query: string'), 'Answer {{query}} {{ query }}'),
    react('{ type: string }', 'Answer {{input}}'),
    react('{}', 'Answer {{input}}'),
    react('{ properties: { a: { properties: { b: {} } } } }', '{{a.b}}'),
  ],
  invalid: [
    [react(object('query: string'), '{{qery}}'), at],
    [react('{ type: string }', '{{query}}'), at],
    [react(object('query: string'), '{{query}} {{#section}} {{input}}'), at, at],
  ],
  message: 'unknown placeholder "qery": the input does not declare it, so it may stay empty. Did you mean "query"?',
})

test('OPEN-48 has a low level for an input without declared fields', () => {
  expect(findings('OPEN-48', 'unknown_variable', react('{ type: object }', '{{query}}'))).toMatchObject([
    { level: 'info' },
  ])
})
