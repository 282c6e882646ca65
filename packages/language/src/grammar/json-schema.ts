/** JSON Schema, wherever a document holds one: its keywords, and what they are for. */
import { ownText, type Path } from '@joust/source'

// biome-ignore format: a row is a line
const keywords: { readonly [keyword: string]: string } = {
  type: 'What kind of value it is.',
  properties: 'The fields of an object, each with a schema of its own.',
  required: 'The fields that have to be there.',
  items: 'The schema of every item of a list.',
  enum: 'The values that are allowed, and no others.',
  const: 'The only value that is allowed.',
  title: 'What people call it.',
  description: 'What it is for; models read it.',
  default: 'The value that is used when none is given.',
  examples: 'Examples of valid values.',
  format: 'What the text represents: a date, an address and the like.',
  pattern: 'A regular expression that the text has to match.',
  minLength: 'The minimum number of characters.',
  maxLength: 'The maximum number of characters.',
  minimum: 'The smallest number that is allowed.',
  maximum: 'The largest number that is allowed.',
  exclusiveMinimum: 'The number has to be greater than this.',
  exclusiveMaximum: 'The number has to be less than this.',
  multipleOf: 'The number is a multiple of this.',
  minItems: 'The minimum number of items.',
  maxItems: 'The maximum number of items.',
  uniqueItems: 'Whether all items must differ.',
  additionalProperties: 'Whether other fields may be there, or the schema that they have.',
  oneOf: 'Exactly one of these schemas has to hold.',
  anyOf: 'At least one of these schemas has to hold.',
  allOf: 'All of these schemas have to hold.',
  not: 'This schema must not hold.',
  $ref: 'A schema that is defined elsewhere.',
  $defs: 'Schemas to refer to.',
}

/** The keywords of JSON Schema that are offered. */
export const schemaKeywords: readonly string[] = Object.keys(keywords)

/** The values of `type`. */
export const jsonTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array']

const SCHEMA_KEYS: ReadonlySet<unknown> = new Set(['inputSchema', 'outputSchema', 'requestedSchema', 'parameters'])

/** The keys that follow the one under which a message holds a JSON Schema; undefined where there is no schema. */
export function belowSchema(path: Path): Path | undefined {
  const at = path.findIndex((key) => SCHEMA_KEYS.has(key))
  return at < 0 ? undefined : path.slice(at + 1)
}

/** What a key within a JSON Schema means; `keys` lead there from the schema. */
export function schemaText(keys: Path): string | undefined {
  const key = keys.at(-1)
  if (typeof key !== 'string') return undefined
  if (isSchema(keys.slice(0, -1))) return ownText(keywords, key)
  return keys.at(-2) === 'properties' && isSchema(keys.slice(0, -2)) ? 'A field that the schema describes.' : undefined
}

/** Whether keys lead from a schema to a schema. */
export function isSchema(keys: Path): boolean {
  let expected: 'schema' | 'names' | 'list' = 'schema'
  for (const key of keys) {
    if (expected !== 'schema') expected = 'schema'
    else if (key === 'properties' || key === '$defs') expected = 'names'
    else if (key === 'oneOf' || key === 'anyOf' || key === 'allOf') expected = 'list'
    else if (key !== 'items' && key !== 'not' && key !== 'additionalProperties') return false
  }
  return expected === 'schema'
}
