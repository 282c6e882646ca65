import { testRule } from '../harness.ts'

const agents = { a: {} }
const batch = (output: string) => ({
  output,
  policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }',
  agents,
})

testRule('OPEN-32', 'batch_output_shape', {
  valid: [
    batch('{ type: array }'),
    batch('{}'),
    batch('{ type: object, properties: { results: { type: array }, others: { type: array } } }'),
    batch('{ type: object, properties: { answers: { type: array }, note: { type: string } } }'),
    // Other policies may return anything.
    { output: '{ type: string }' },
  ],
  invalid: [
    [batch('{ type: string }'), 'interface.output'],
    [batch('{ type: object }'), 'interface.output'],
    [batch('{ type: object, properties: { a: { type: array }, b: { type: array } } }'), 'interface.output'],
    [batch('{ type: object, properties: { results: { type: string } } }'), 'interface.output'],
  ],
  message: 'a batch gives a list',
})
