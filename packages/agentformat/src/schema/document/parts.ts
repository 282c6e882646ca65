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

/** A name that path expressions can use. */
export const alias: ValueRecord = {
  type: 'string',
  pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$',
  description: 'an alias has letters, digits and underscores only, and does not start with a digit',
}

/** A whole number from a bound upwards. */
export function wholeFrom(minimum: number): ValueRecord {
  return { type: 'integer', minimum }
}

/** An object with known fields. Unless it is closed, other fields are let through: they only warn. */
export function object(properties: ValueRecord, required: readonly string[] = []): ValueRecord {
  return required.length === 0 ? { type: 'object', properties } : { type: 'object', required, properties }
}

/** A list of at least one item. */
export function filledList(items: ValueRecord): ValueRecord {
  return { type: 'array', minItems: 1, items }
}
