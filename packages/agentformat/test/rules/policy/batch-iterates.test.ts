import { testRule } from '../harness.ts'

const agents = { a: {} }
const batch = (mapping: string) => ({
  policy: `{ id: agf.batch, config: { agent: a, input_mapping: { ${mapping} } } }`,
  agents,
})

testRule('R-21', 'batch_without_iteration', {
  valid: [
    batch('x: "parent.input.items.[]"'),
    batch('x: "parent.input.items.[].a", y: parent.input.b'),
    // The grammar check reports the missing dot.
    batch('x: "parent.input.items[]"'),
  ],
  invalid: [
    [batch('x: parent.input.items'), 'execution_policy.config.input_mapping'],
    [batch(''), 'execution_policy.config.input_mapping'],
  ],
  message: 'at least one needs "[]"',
})
