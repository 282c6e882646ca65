/** JSON Schema inside documents: keywords and their descriptions. */
import { ownText, type Path } from '@joust/source'

// biome-ignore format: a row is a line
const keywords: { readonly [keyword: string]: string } = {
  type: 'The type of the value.',
  properties: 'The fields of an object, each with its schema.',
  required: 'The required fields.',
  items: 'The schema of every item of a list.',
  enum: 'Allowed values.',
  const: 'The only allowed value.',
  title: 'The display name.',
  description: 'The purpose, for the model.',
  default: 'The default value.',
  examples: 'Examples of valid values.',
  format: 'The format of the string, such as `date` or `email`.',
  pattern: 'A regular expression that the string must match.',
  minLength: 'The minimum number of characters.',
  maxLength: 'The maximum number of characters.',
  minimum: 'The smallest allowed number.',
  maximum: 'The largest allowed number.',
  exclusiveMinimum: 'The number must be greater than this.',
  exclusiveMaximum: 'The number must be less than this.',
  multipleOf: 'The number must be a multiple of this.',
  minItems: 'The minimum number of items.',
  maxItems: 'The maximum number of items.',
  uniqueItems: 'All items must differ.',
  additionalProperties: 'The schema of all other fields; `false` forbids them.',
  oneOf: 'Exactly one of these schemas must match.',
  anyOf: 'At least one of these schemas must match.',
  allOf: 'All of these schemas must match.',
  not: 'This schema must not match.',
  $ref: 'A reference to another schema.',
  $defs: 'Reusable schemas.',
}

export const schemaKeywords: readonly string[] = Object.keys(keywords)

export const jsonTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array']

const SCHEMA_KEYS: ReadonlySet<unknown> = new Set(['inputSchema', 'outputSchema', 'requestedSchema', 'parameters'])

/** Returns the part of a path inside a message's JSON Schema; undefined outside schemas. */
export function belowSchema(path: Path): Path | undefined {
  const at = path.findIndex((key) => SCHEMA_KEYS.has(key))
  return at < 0 ? undefined : path.slice(at + 1)
}

/** Returns the description of a key in a JSON Schema. `keys` is the path of the key in the schema. */
export function schemaText(keys: Path): string | undefined {
  const key = keys.at(-1)
  if (typeof key !== 'string') return undefined
  if (isSchema(keys.slice(0, -1))) return ownText(keywords, key)
  return keys.at(-2) === 'properties' && isSchema(keys.slice(0, -2)) ? 'A field of the schema.' : undefined
}

/** True if a path inside a schema is itself a schema. */
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
