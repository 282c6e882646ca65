/** Wraps a schema as the only property of an object, because providers and protocols require an object at the root. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** Returns the schema of an object with one property. References inside the given schema still resolve. */
export function wrapSchema(schema: ValueRecord, name: string): ValueRecord {
  const { $schema, ...rest } = schema
  const properties = { [name]: moved(rest, `/properties/${name}`) }
  return { ...($schema !== undefined && { $schema }), type: 'object', properties, required: [name] }
}

const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']
const DATA = ['const', 'enum', 'default', 'examples']

/** Rewrites the references of a schema that moves below a pointer. Shared subschemas stay shared. */
function moved(schema: Value, pointer: string): Value {
  const cache = new Map<Value, Value>()
  const once = (part: Value, move: () => Value): Value => {
    const before = cache.get(part)
    if (before !== undefined) return before
    const after = move()
    cache.set(part, after)
    return after
  }
  const moveEntry = (keyword: string, operand: Value): Value => {
    if (DATA.includes(keyword)) return operand
    if (keyword === '$ref' && typeof operand === 'string') return movedReference(operand, pointer)
    if (!MAPS_OF_SCHEMAS.includes(keyword) || !isRecord(operand)) return move(operand)
    return Object.fromEntries(Object.entries(operand).map(([key, part]) => [key, move(part)]))
  }
  const move = (part: Value): Value => {
    if (isList(part)) return once(part, () => part.map(move))
    // In a subschema with its own id, `#` refers to that subschema.
    if (!isRecord(part) || hasId(part)) return part
    return once(part, () =>
      Object.fromEntries(Object.entries(part).map(([keyword, operand]) => [keyword, moveEntry(keyword, operand)])),
    )
  }
  return move(schema)
}

function hasId(schema: ValueRecord): boolean {
  const id = own(schema, '$id')
  return typeof id === 'string' && !id.startsWith('#')
}

/** Rewrites a reference. Anchors are unchanged, because they do not depend on the location. */
function movedReference(reference: string, pointer: string): string {
  return reference === '#' || reference.startsWith('#/') ? `#${pointer}${reference.slice(1)}` : reference
}
