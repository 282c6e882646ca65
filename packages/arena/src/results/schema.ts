/** The JSON Schema of `results.json`, from the same table that reading and writing follow. */
import type { Value } from '@joust/source'
import { TIME } from './check.ts'
import type { ObjectShape, Shape } from './shape.ts'
import { resultsShape } from './shapes.ts'

type Definitions = Record<string, Value>

/** JSON Schema 2020-12; strict, since it says what is written. Reading is kinder to fields of later releases. */
export function resultsSchema(): Value {
  const definitions: Definitions = {}
  const root = fieldsOf(resultsShape, definitions)
  const names = Object.keys(definitions).sort()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Results of joust',
    description: 'results.json, version 1: what a run of a suite of attacks found out.',
    ...root,
    $defs: Object.fromEntries(names.map((name) => [name, definitions[name] ?? {}])),
  }
}

function schemaOf(shape: Shape, definitions: Definitions): Value {
  switch (shape.kind) {
    case 'text':
    case 'prose':
      return { type: 'string' }
    case 'time':
      return { type: 'string', pattern: TIME.source }
    case 'number':
    case 'boolean':
      return { type: shape.kind }
    case 'count':
      return { type: 'integer', minimum: shape.least }
    case 'exactly':
      return { const: shape.value }
    case 'one-of':
      return { enum: shape.values }
    case 'list':
      return { type: 'array', items: schemaOf(shape.item, definitions) }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.item, definitions) }
    case 'object':
      return objectSchema(shape, definitions)
  }
}

function objectSchema(shape: ObjectShape, definitions: Definitions): Value {
  const { name, about } = shape
  if (name === undefined) return fieldsOf(shape, definitions)
  definitions[name] ??= { ...(about === undefined ? {} : { description: about }), ...fieldsOf(shape, definitions) }
  return { $ref: `#/$defs/${name}` }
}

function fieldsOf({ fields }: ObjectShape, definitions: Definitions): { readonly [key: string]: Value } {
  const entries = Object.entries(fields)
  return {
    type: 'object',
    additionalProperties: false,
    required: entries.filter(([, { optional }]) => !optional).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, { shape }]) => [name, schemaOf(shape, definitions)])),
  }
}
