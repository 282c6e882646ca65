import { expect, test } from 'vitest'
import { jsonSchemaOf } from '../../src/shapes/json-schema.ts'
import { shapes } from '../../src/shapes/shape.ts'

test('a field has its description and its rule', () => {
  const { object, optional, required, text, value } = shapes
  const shape = object({
    name: required(text, 'what it is called', 'V-001'),
    more: optional(value, 'anything'),
    plain: optional(value),
  })
  expect(jsonSchemaOf(shape, { title: 't', description: 'd' })).toMatchObject({
    required: ['name'],
    properties: {
      name: { type: 'string', description: 'what it is called', $comment: 'V-001' },
      more: { description: 'anything' },
      plain: true,
    },
  })
})
