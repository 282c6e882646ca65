import { defined, isRecord, type Value } from '../model/value.ts'
import { isoDate, utcTime } from './iso-date.ts'
import type { Choice, Field, ObjectShape, Shape } from './shape.ts'

type Schema = { readonly [key: string]: Value }
type Definitions = Record<string, Schema>

/** Converts a shape to JSON Schema 2020-12. Named objects go into `$defs`. */
export function jsonSchemaOf(
  shape: ObjectShape,
  head: { readonly title: string; readonly description: string },
): Value {
  const definitions: Definitions = {}
  const root = fieldsOf(shape, definitions)
  const names = Object.keys(definitions).sort()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...head,
    ...root,
    $defs: Object.fromEntries(names.map((name) => [name, definitions[name] ?? {}])),
  }
}

function schemaOf(shape: Shape, definitions: Definitions): Value {
  switch (shape.kind) {
    case 'value':
      return true
    case 'text':
    case 'prose':
      return { type: 'string' }
    case 'date':
      return { type: 'string', maxLength: isoDate.longest, pattern: isoDate.pattern.source }
    case 'time':
      return { type: 'string', maxLength: utcTime.longest, pattern: utcTime.pattern.source }
    case 'integer':
    case 'number':
    case 'boolean':
      return { type: shape.kind }
    case 'count': {
      const number = { type: 'integer', minimum: shape.least }
      return shape.words === undefined ? number : { anyOf: [number, { enum: shape.words }] }
    }
    case 'exactly':
      return { const: shape.value }
    case 'enumeration':
      return { enum: shape.values }
    case 'list':
      return { type: 'array', items: schemaOf(shape.item, definitions) }
    case 'some': {
      const item = schemaOf(shape.item, definitions)
      return { anyOf: [item, { type: 'array', items: item }] }
    }
    case 'map':
      return { type: 'object', additionalProperties: schemaOf(shape.item, definitions) }
    case 'object':
      return objectSchema(shape, definitions)
    case 'choice':
      return choiceSchema(shape, definitions)
  }
}

function choiceSchema({ keys, mapping, other }: Choice, definitions: Definitions): Value {
  const some = keys === undefined ? {} : { anyOf: keys.map((key) => ({ required: [key] })) }
  return {
    if: { type: 'object', ...some },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: schemaOf(mapping, definitions),
    else: schemaOf(other, definitions),
  }
}

function objectSchema(shape: ObjectShape, definitions: Definitions): Value {
  const { name, about } = shape
  if (name === undefined) return fieldsOf(shape, definitions)
  definitions[name] ??= defined({ description: about, ...fieldsOf(shape, definitions) })
  return { $ref: `#/$defs/${name}` }
}

function fieldsOf({ fields, others }: ObjectShape, definitions: Definitions): Schema {
  const entries = Object.entries(fields)
  return {
    type: 'object',
    ...(others === 'any' ? {} : { additionalProperties: false }),
    ...(others === 'extensions' ? { patternProperties: { '^x-': true } } : {}),
    required: entries.filter(([, field]) => field.required).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, field]) => [name, fieldSchema(field, definitions)])),
  }
}

function fieldSchema({ shape, rule, about }: Field, definitions: Definitions): Value {
  const schema = schemaOf(shape, definitions)
  if (rule === undefined && about === undefined) return schema
  return defined({ description: about, $comment: rule, ...(isRecord(schema) ? schema : {}) })
}
