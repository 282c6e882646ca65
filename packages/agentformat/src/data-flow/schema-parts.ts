/** What schemas that hold together, as `conjuncts` gives them, say about the properties and items of a value. */
import { isList, isRecord, own, type Value } from '@joust/source'
import type { Effort } from './effort.ts'
import { childNode, type SchemaNode } from './schema-node.ts'

/** The schemas that a property satisfies if it is there. A `false` among them means that it cannot be there. */
export function propertyNodes(together: readonly SchemaNode[], name: string): SchemaNode[] {
  return together.flatMap((node) => propertyNode(node, name) ?? [])
}

function propertyNode(node: SchemaNode, name: string): SchemaNode | undefined {
  if (typeof node.schema === 'boolean') return undefined
  const properties = own(node.schema, 'properties')
  if (isRecord(properties) && Object.hasOwn(properties, name)) return childNode(node, own(properties, name))
  // Whether a pattern takes the name is left open.
  if (own(node.schema, 'patternProperties') !== undefined) return undefined
  return childNode(node, own(node.schema, 'additionalProperties'))
}

/** The properties that the schemas name. */
export function declaredNames(together: readonly SchemaNode[]): string[] {
  const found = together.flatMap((node) => {
    const properties = keyword(node, 'properties')
    return isRecord(properties) ? Object.keys(properties) : []
  })
  return [...new Set(found)]
}

/** The properties that an object must have. */
export function requiredNames(together: readonly SchemaNode[], effort: Effort): Set<string> {
  const found = new Set(together.flatMap((node) => names(keyword(node, 'required'))))
  effort.left -= found.size
  return found
}

/** Whether an object must have a property. */
export function requires(together: readonly SchemaNode[], name: string, effort: Effort): boolean {
  return together.some((node) => {
    const required = keyword(node, 'required')
    if (!isList(required)) return false
    effort.left -= required.length
    return required.includes(name)
  })
}

/** The schemas of the items of a list. Lists with a schema for each position are left out. */
export function itemNodes(together: readonly SchemaNode[]): SchemaNode[] {
  return together.flatMap((node) =>
    keyword(node, 'prefixItems') === undefined ? (childNode(node, keyword(node, 'items')) ?? []) : [],
  )
}

/** The least number of items of a list. */
export function leastItems(together: readonly SchemaNode[]): number {
  let least = 0
  for (const node of together) {
    const bound = keyword(node, 'minItems')
    if (typeof bound === 'number' && bound > least) least = bound
  }
  return least
}

/** The default of a value, if a schema has one. */
export function defaultValue(together: readonly SchemaNode[]): Value | undefined {
  for (const node of together) {
    const found = keyword(node, 'default')
    if (found !== undefined) return found
  }
  return undefined
}

/** The value of a keyword; undefined for a boolean schema. */
export function keyword(node: SchemaNode, name: string): Value | undefined {
  return typeof node.schema === 'boolean' ? undefined : own(node.schema, name)
}

function names(value: Value | undefined): string[] {
  return isList(value) ? value.filter((name) => typeof name === 'string') : []
}
