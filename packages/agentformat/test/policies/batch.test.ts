import { describe, expect, test } from 'vitest'
import type { InterfaceSchema } from '../../src/model/document.ts'
import { batchShape, planBatch } from '../../src/policies/batch.ts'

describe('OPEN-32: the shape of the output', () => {
  test.each<[InterfaceSchema, unknown]>([
    [{ type: 'array' }, { kind: 'list' }],
    [{}, { kind: 'list' }],
    [{ anyOf: [{ type: 'array' }, { type: 'object' }] }, { kind: 'list' }],
    [
      { type: 'object', properties: { results: {} } },
      { kind: 'property', name: 'results' },
    ],
    [
      { type: 'object', properties: { answers: { type: 'array' }, n: {} } },
      { kind: 'property', name: 'answers' },
    ],
    [
      { type: 'object', properties: { answers: { type: ['array', 'null'] } } },
      { kind: 'property', name: 'answers' },
    ],
    [
      { $ref: '#/$defs/out', $defs: { out: { type: 'object', properties: { answers: { type: 'array' } } } } },
      { kind: 'property', name: 'answers' },
    ],
    [{ type: 'object', properties: { a: { type: 'array' }, b: { type: 'array' } } }, undefined],
    [{ type: 'object', properties: { a: {} } }, undefined],
    [{ type: 'object' }, undefined],
    [{ type: 'string' }, undefined],
  ])('%j', (output, shape) => {
    expect(batchShape(output)).toEqual(shape)
  })
})

test('the plan of a batch is one delegation for all items', () => {
  expect(planBatch({ agent: 'a', input_mapping: { x: 'parent.input.items.[]' } })).toMatchObject({
    order: 'items',
    delegations: [
      { alias: 'a', path: ['execution_policy', 'config', 'agent'], mapping: { x: 'parent.input.items.[]' } },
    ],
  })
})
