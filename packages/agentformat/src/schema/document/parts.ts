/**
 * Building blocks of the document schema. They are JSON Schema, not the shapes of `@joust/source`: the interfaces of
 * agents need an evaluator anyway, and Agent Format is published as a JSON Schema.
 */
import type { ValueRecord } from '@joust/source'

/** Any string. */
export const text: ValueRecord = { type: 'string' }

/** A string that is not empty. */
export const filledText: ValueRecord = { type: 'string', minLength: 1 }

/** A list of strings. */
export const texts: ValueRecord = { type: 'array', items: text }

/** True or false. */
export const flag: ValueRecord = { type: 'boolean' }

/** A mapping of strings: labels, annotations, input mappings. */
export const textMap: ValueRecord = { type: 'object', additionalProperties: text }

/** A string that matches a pattern; messages about a mismatch end with the description. */
export function textLike(pattern: string, description: string): ValueRecord {
  return { type: 'string', pattern, description }
}

/** A schema with its description. */
export type Field = ValueRecord & { readonly description: string }

/** A field of an object. A schema with its own description, for messages, is wrapped in `allOf`. */
export function field(schema: ValueRecord, description: string): Field {
  return 'description' in schema ? { description, allOf: [schema] } : { description, ...schema }
}

/** A name that path expressions can use. */
export const alias: Field = field(
  textLike(
    '^[a-zA-Z_][a-zA-Z0-9_]*$',
    'an alias has letters, digits and underscores only, and does not start with a digit',
  ),
  'The name in policies and path expressions.',
)

/** The description of a tool, server or agent. */
export const description: Field = field(text, 'A description of its purpose, for the model.')

/** An integer greater than or equal to `minimum`. */
export function wholeFrom(minimum: number): ValueRecord {
  return { type: 'integer', minimum }
}

/** An object with known fields. Other fields are allowed, with a warning. */
export function object(properties: { readonly [name: string]: Field }, required: readonly string[] = []): ValueRecord {
  return required.length === 0 ? { type: 'object', properties } : { type: 'object', required, properties }
}

/** A list of at least one item. */
export function filledList(items: ValueRecord): ValueRecord {
  return { type: 'array', minItems: 1, items }
}
