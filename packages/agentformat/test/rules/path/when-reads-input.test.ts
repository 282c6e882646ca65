import { testRule } from '../harness.ts'

const agents = { a: {}, b: {} }
const when = (key: string) => ({
  policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: { ${key}: 1 } }, agent: a }] } }`,
  agents,
})

testRule('P-21', 'dependency_order', {
  valid: [when('parent.input.kind')],
  invalid: [[when('b.output.kind'), 'execution_policy.config.routes[0].when.args_match.b.output.kind']],
  message: '"when" reads from parent.input only',
})
