import type { ValueRecord } from '@joust/source'
import { schemaKeywords } from './positions.ts'

const schema: ValueRecord = { $ref: '#' }
const schemas: ValueRecord = { type: 'array', minItems: 1, items: schema }
const schemaMap: ValueRecord = { type: 'object', additionalProperties: schema }
const text: ValueRecord = { type: 'string' }
const names: ValueRecord = { type: 'array', items: text, uniqueItems: true }
const number: ValueRecord = { type: 'number' }
const count: ValueRecord = { type: 'integer', minimum: 0 }
const flag: ValueRecord = { type: 'boolean' }
const typeName: ValueRecord = {
  type: 'string',
  enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
}
const anchor: ValueRecord = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' }

const core: ValueRecord = {
  $schema: text,
  $id: { type: 'string', pattern: '^[^#]*#?$' },
  $ref: text,
  $dynamicRef: text,
  $anchor: anchor,
  $dynamicAnchor: anchor,
  $comment: text,
  $vocabulary: { type: 'object', additionalProperties: flag },
}

const operands = { one: schema, list: schemas, map: schemaMap } as const

const applicators: ValueRecord = Object.fromEntries(
  [...schemaKeywords].map(([keyword, { holds }]) => [keyword, operands[holds]]),
)

const assertions: ValueRecord = {
  type: { anyOf: [typeName, { type: 'array', items: typeName, minItems: 1, uniqueItems: true }] },
  enum: { type: 'array' },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  maximum: number,
  exclusiveMaximum: number,
  minimum: number,
  exclusiveMinimum: number,
  maxLength: count,
  minLength: count,
  pattern: text,
  maxItems: count,
  minItems: count,
  uniqueItems: flag,
  maxContains: count,
  minContains: count,
  maxProperties: count,
  minProperties: count,
  required: names,
  dependentRequired: { type: 'object', additionalProperties: names },
}

const annotations: ValueRecord = {
  title: text,
  description: text,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  examples: { type: 'array' },
  format: text,
  contentEncoding: text,
  contentMediaType: text,
}

/** The meta-schema of JSON Schema 2020-12 as a single schema. */
export const metaSchema: ValueRecord = {
  type: ['object', 'boolean'],
  properties: { ...core, ...applicators, ...assertions, ...annotations },
}
