import { steps, testRule } from '../harness.ts'

const agents = { a: {} }
const batch = (input: string) => ({
  input,
  policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }',
  agents,
})

const text = '{ type: object, properties: { n: { type: integer }, items: { type: string } } }'

testRule('P-06', 'type_mismatch', {
  valid: [
    batch('{ type: object, properties: { items: { type: array } } }'),
    batch('{ type: object, properties: { items: { type: [array, "null"] } } }'),
    batch('{ type: object }'),
    // P-11 reports "[]" elsewhere, and without the sub-agent nothing is known.
    { ...batch(text), policy: steps('sequential', ['a <- x: "parent.input.items.[]"']) },
    { ...batch(text), policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "b.output.items.[]" } } }' },
    batch('{ anyOf: [{ properties: { items: { type: string } } }, {}] }'),
  ],
  invalid: [
    [batch(text), 'execution_policy.config.input_mapping.x'],
    [
      {
        ...batch(text),
        policy:
          '{ id: agf.batch, config: { agent: a, input_mapping: { n: parent.input.n, x: "parent.input.items.[]" } } }',
      },
      'execution_policy.config.input_mapping.x',
    ],
    [
      batch('{ type: object, properties: { items: { enum: [1, { a: 2 }] } } }'),
      'execution_policy.config.input_mapping.x',
    ],
  ],
  message: '"[]" needs a list, but the schema declares string',
})
