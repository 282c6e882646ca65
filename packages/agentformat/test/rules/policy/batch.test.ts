import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

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

testRule('P-08', 'batch_prefix_mismatch', {
  valid: [
    batch('name: "parent.input.items.[].name", value: "parent.input.items.[].value", all: parent.input.prices'),
    batch('name: "parent.input.items.[]"'),
  ],
  invalid: [
    [
      batch('name: "parent.input.items.[].name", price: "parent.input.prices.[].amount"'),
      'execution_policy.config.input_mapping.price',
    ],
    [batch('a: "parent.input.x.y.[]", b: "parent.input.x.[].y"'), 'execution_policy.config.input_mapping.b'],
  ],
  message:
    'all fields must iterate over the same list; this one uses "parent.input.prices", another one "parent.input.items"',
})

test('OPEN-13: different lists are rejected even if their lengths must be equal', () => {
  const lists = '{ type: array, minItems: 2, maxItems: 2 }'
  const parts = {
    ...batch('a: "parent.input.x.[]", b: "parent.input.y.[]"'),
    input: `{ type: object, properties: { x: ${lists}, y: ${lists} } }`,
  }
  expect(findings('P-08', 'batch_prefix_mismatch', parts)).toHaveLength(1)
})

const batchGiving = (output: string) => ({
  output,
  policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }',
  agents,
})

testRule('OPEN-32', 'batch_output_shape', {
  valid: [
    batchGiving('{ type: array }'),
    batchGiving('{}'),
    batchGiving('{ type: object, properties: { results: { type: array }, others: { type: array } } }'),
    batchGiving('{ type: object, properties: { answers: { type: array }, note: { type: string } } }'),
    // Other policies may return anything.
    { output: '{ type: string }' },
  ],
  invalid: [
    [batchGiving('{ type: string }'), 'interface.output'],
    [batchGiving('{ type: object }'), 'interface.output'],
    [batchGiving('{ type: object, properties: { a: { type: array }, b: { type: array } } }'), 'interface.output'],
    [batchGiving('{ type: object, properties: { results: { type: string } } }'), 'interface.output'],
  ],
  message: 'a batch returns a list',
})
