/**
 * Building blocks of the document schema. The schema is a JSON Schema and not a shape from `@joust/source`, because
 * agent interfaces need a JSON Schema evaluator anyway and Agent Format is published as JSON Schema.
 */
import type { ValueRecord } from '@joust/source'

export const text: ValueRecord = { type: 'string' }

export const filledText: ValueRecord = { type: 'string', minLength: 1 }

export const texts: ValueRecord = { type: 'array', items: text }

export const flag: ValueRecord = { type: 'boolean' }

/** An object of strings, such as labels, annotations or input mappings. */
export const textMap: ValueRecord = { type: 'object', additionalProperties: text }

/** A string that matches a pattern. Messages about mismatches end with the description. */
export function textLike(pattern: string, description: string): ValueRecord {
  return { type: 'string', pattern, description }
}

/** A schema with a description. */
export type Field = ValueRecord & { readonly description: string }

/** A field of an object. A schema with its own description, which messages use, is wrapped in `allOf`. */
export function field(schema: ValueRecord, description: string): Field {
  return 'description' in schema ? { description, allOf: [schema] } : { description, ...schema }
}

/** A name that path expressions can use. */
export const alias: Field = field(
  textLike(
    '^[a-zA-Z_][a-zA-Z0-9_]*$',
    'an alias consists of letters, digits and underscores, and does not start with a digit',
  ),
  'The name in policies and path expressions.',
)

export const description: Field = field(text, 'A description for the model.')

export function wholeFrom(minimum: number): ValueRecord {
  return { type: 'integer', minimum }
}

/** An object with known fields. Other fields are allowed, but cause a warning. */
export function object(properties: { readonly [name: string]: Field }, required: readonly string[] = []): ValueRecord {
  return required.length === 0 ? { type: 'object', properties } : { type: 'object', required, properties }
}

export function filledList(items: ValueRecord): ValueRecord {
  return { type: 'array', minItems: 1, items }
}
