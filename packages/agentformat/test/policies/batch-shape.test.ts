import { describe, expect, test } from 'vitest'
import type { InterfaceSchema } from '../../src/model/document.ts'
import { batchShape } from '../../src/policies/batch-shape.ts'

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
