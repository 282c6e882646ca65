/**
 * The small schemas that the sections of a document are made of. They are JSON Schema and not the shapes of
 * `@joust/source`: the interfaces of agents need an evaluator anyway, and the format is published as a JSON Schema.
 */
import type { ValueRecord } from '@joust/source'

/** Any text. */
export const text: ValueRecord = { type: 'string' }

/** A text that is not empty. */
export const filledText: ValueRecord = { type: 'string', minLength: 1 }

/** A list of texts. */
export const texts: ValueRecord = { type: 'array', items: text }

/** True or false. */
export const flag: ValueRecord = { type: 'boolean' }

/** Names to texts: labels, annotations, input mappings. */
export const textMap: ValueRecord = { type: 'object', additionalProperties: text }

/** A text of some characters; `says` ends the message about one that has others. */
export function textLike(pattern: string, says: string): ValueRecord {
  return { type: 'string', pattern, description: says }
}

/** A schema with a sentence about what it is for. */
export type Field = ValueRecord & { readonly description: string }

/** A field of an object; a schema that says something in messages keeps that to itself. */
export function field(schema: ValueRecord, description: string): Field {
  return 'description' in schema ? { description, allOf: [schema] } : { description, ...schema }
}

/** A name that path expressions can use. */
export const alias: Field = field(
  textLike(
    '^[a-zA-Z_][a-zA-Z0-9_]*$',
    'an alias has letters, digits and underscores only, and does not start with a digit',
  ),
  'The name by which policies and path expressions know it.',
)

/** What models read about something to call. */
export const description: Field = field(text, 'What it is for; models read it.')

/** A whole number from a bound upwards. */
export function wholeFrom(minimum: number): ValueRecord {
  return { type: 'integer', minimum }
}

/** An object with known fields. Unless it is closed, other fields are let through: they only warn. */
export function object(properties: { readonly [name: string]: Field }, required: readonly string[] = []): ValueRecord {
  return required.length === 0 ? { type: 'object', properties } : { type: 'object', required, properties }
}

/** A list of at least one item. */
export function filledList(items: ValueRecord): ValueRecord {
  return { type: 'array', minItems: 1, items }
}
