import { isList, isRecord, type Path, type Value, type ValueRecord } from '@joust/source'
import { childNode, rootNode, type SchemaNode } from '../data-flow/schema-node.ts'
import type { JsonSchema } from '../model/document.ts'

export interface SchemaPosition {
  readonly node: SchemaNode & { readonly schema: ValueRecord }
  readonly path: Path
}

/**
 * Keywords that contain schemas. `inPlace` keywords apply to the value itself, the others to its properties or items.
 */
export const schemaKeywords: ReadonlyMap<
  string,
  { readonly holds: 'one' | 'list' | 'map'; readonly inPlace: boolean }
> = new Map([
  ['allOf', { holds: 'list', inPlace: true }],
  ['anyOf', { holds: 'list', inPlace: true }],
  ['oneOf', { holds: 'list', inPlace: true }],
  ['not', { holds: 'one', inPlace: true }],
  ['if', { holds: 'one', inPlace: true }],
  ['then', { holds: 'one', inPlace: true }],
  ['else', { holds: 'one', inPlace: true }],
  ['dependentSchemas', { holds: 'map', inPlace: true }],
  ['properties', { holds: 'map', inPlace: false }],
  ['patternProperties', { holds: 'map', inPlace: false }],
  ['additionalProperties', { holds: 'one', inPlace: false }],
  ['unevaluatedProperties', { holds: 'one', inPlace: false }],
  ['propertyNames', { holds: 'one', inPlace: false }],
  ['prefixItems', { holds: 'list', inPlace: false }],
  ['items', { holds: 'one', inPlace: false }],
  ['unevaluatedItems', { holds: 'one', inPlace: false }],
  ['contains', { holds: 'one', inPlace: false }],
  ['contentSchema', { holds: 'one', inPlace: false }],
  ['$defs', { holds: 'map', inPlace: false }],
  ['definitions', { holds: 'map', inPlace: false }],
])

/** Returns all object subschemas, the root first. Shared subschemas are returned once. */
export function schemaPositions(root: JsonSchema): SchemaPosition[] {
  const positions: SchemaPosition[] = []
  const visited = new Set<ValueRecord>()
  const pending: { node: SchemaNode | undefined; path: Path }[] = [{ node: rootNode(root), path: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next
    if (node === undefined || typeof node.schema === 'boolean' || visited.has(node.schema)) continue
    visited.add(node.schema)
    positions.push({ node: { schema: node.schema, root: node.root }, path })
    for (const [keyword, operand] of Object.entries(node.schema)) {
      for (const [steps, part] of partsOf(keyword, operand))
        pending.push({ node: childNode(node, part), path: [...path, ...steps] })
    }
  }
  return positions
}

/** Returns the subschemas of a keyword with their paths. */
export function partsOf(keyword: string, operand: Value): (readonly [Path, Value])[] {
  switch (schemaKeywords.get(keyword)?.holds) {
    case 'one':
      return [[[keyword], operand]]
    case 'list':
      return isList(operand) ? operand.map((part, index) => [[keyword, index], part]) : []
    case 'map':
      return isRecord(operand) ? Object.entries(operand).map(([name, part]) => [[keyword, name], part]) : []
    default:
      return []
  }
}
