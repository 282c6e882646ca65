import { testRule } from '../harness.ts'

const agents = { a: {} }
const batch = (input: string) => ({
  input,
  policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }',
  agents,
})

testRule('P-06', 'type_mismatch', {
  valid: [
    batch('{ type: object, properties: { items: { type: array } } }'),
    batch('{ type: object, properties: { items: { type: [array, "null"] } } }'),
    batch('{ type: object }'),
    batch('{ anyOf: [{ properties: { items: { type: string } } }, {}] }'),
  ],
  invalid: [
    [batch('{ type: object, properties: { items: { type: string } } }'), 'execution_policy.config.input_mapping.x'],
    [
      batch('{ type: object, properties: { items: { enum: [1, { a: 2 }] } } }'),
      'execution_policy.config.input_mapping.x',
    ],
  ],
  message: '"[]" goes over a list, and the schema says string',
})
