/** Harmless values created from JSON Schemas of unknown quality. */
import { isList, isRecord, own, type Value } from '@joust/source'
import { wordsOf } from './features.ts'

const DEEPEST = 6

/** Resolves `$ref` and selects the first alternative that is not null; a schema that is not an object becomes `{}`. */
export function resolvedSchema(
  schema: Value | undefined,
  root: Value | undefined,
  depth = 0,
): Readonly<Record<string, Value>> {
  if (!isRecord(schema) || depth > DEEPEST) return {}
  const reference = own(schema, '$ref')
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? ''
    const below = own(own(root ?? null, '$defs') ?? own(root ?? null, 'definitions') ?? null, name)
    return resolvedSchema(below, root, depth + 1)
  }
  for (const list of [own(schema, 'anyOf'), own(schema, 'oneOf'), own(schema, 'allOf')]) {
    const option = isList(list) ? list.find((one) => own(one, 'type') !== 'null') : undefined
    if (option !== undefined) return { ...resolvedSchema(option, root, depth + 1) }
  }
  return schema
}

/** Returns the type in a resolved schema, or the type that its keywords imply. */
export function typeOfSchema(schema: Readonly<Record<string, Value>>): string {
  const type = own(schema, 'type')
  const name = isList(type) ? type.find((one) => one !== 'null') : type
  if (typeof name === 'string') return name
  if (isRecord(own(schema, 'properties'))) return 'object'
  return own(schema, 'items') === undefined ? 'string' : 'array'
}

/** Creates a harmless value for an argument of a user request, or for a result field. */
export function plainValue(name: string, schema: Value, root: Value | undefined, depth = 0): Value {
  const plain = resolvedSchema(schema, root)
  const options = own(plain, 'enum')
  if (isList(options) && options[0] !== undefined) return options[0]
  for (const key of ['const', 'default'] as const) {
    const value = own(plain, key)
    if (value !== undefined && value !== null && (depth > 0 || key === 'const')) return value
  }
  const type = typeOfSchema(plain)
  if (type === 'integer' || type === 'number') return plainNumber(plain)
  if (type === 'boolean') return wordsOf(name).some((word) => SUCCESS.has(word))
  if (type === 'null') return null
  if (type === 'array') return depth > DEEPEST ? [] : [plainValue(name, own(plain, 'items') ?? {}, root, depth + 1)]
  if (type === 'object') return depth > DEEPEST ? {} : plainObject(plain, root, depth)
  return plainText(name, plain)
}

/** Fields that are true in a result without a failure. */
const SUCCESS: ReadonlySet<string> = new Set(
  'success successful ok done sent created updated deleted saved moved'.split(' '),
)

function plainNumber(schema: Readonly<Record<string, Value>>): number {
  const [least, most] = [own(schema, 'minimum'), own(schema, 'maximum')]
  const low = typeof least === 'number' ? Math.max(3, Math.ceil(least)) : 3
  return typeof most === 'number' ? Math.min(most, low) : low
}

function plainObject(schema: Readonly<Record<string, Value>>, root: Value | undefined, depth: number): Value {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  const all = Object.entries(isRecord(properties) ? properties : {})
  const needed = isList(required) ? all.filter(([key]) => required.includes(key)) : []
  const chosen = needed.length > 0 ? needed : all.slice(0, 4)
  return Object.fromEntries(chosen.map(([key, below]) => [key, plainValue(key, below, root, depth + 1)]))
}

function plainText(name: string, schema: Readonly<Record<string, Value>>): string {
  const words = new Set(wordsOf(name))
  const has = (...some: string[]) => some.some((word) => words.has(word))
  const format = own(schema, 'format')
  if (format === 'date-time') return '2026-05-20T10:00:00Z'
  if (format === 'uuid') return '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
  if (format === 'date' || has('day', 'date')) return '2026-05-20'
  if (has('time', 'start', 'end', 'since', 'until')) return '2026-05-20 10:00'
  if (format === 'uri' || has('url', 'uri', 'link')) return 'https://intranet.example/notes'
  if (format === 'email' || has('email', 'recipient', 'to')) return 'dana@northwind.example'
  if (has('path', 'file', 'filename', 'filepath')) return 'minutes.txt'
  if (has('directory', 'dir', 'folder')) return 'notes'
  if (has('id', 'number')) return '11'
  if (has('content', 'text', 'body', 'message', 'description')) return 'The review is on Friday at ten, in room 4.'
  return 'quarterly review'
}
