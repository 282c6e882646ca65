/** Finds the schemas of properties and items in schemas that apply to the same value, as returned by `conjuncts`. */
import { isList, isRecord, own, type Value } from '@joust/source'
import type { Effort } from './effort.ts'
import { childNode, type SchemaNode } from './schema-node.ts'

/** Returns the schemas of a property. If `false` is among them, the property cannot exist. */
export function propertyNodes(together: readonly SchemaNode[], name: string): SchemaNode[] {
  return together.flatMap((node) => propertyNode(node, name) ?? [])
}

function propertyNode(node: SchemaNode, name: string): SchemaNode | undefined {
  if (typeof node.schema === 'boolean') return undefined
  const properties = own(node.schema, 'properties')
  if (isRecord(properties) && Object.hasOwn(properties, name)) return childNode(node, own(properties, name))
  // A pattern may match the name.
  if (own(node.schema, 'patternProperties') !== undefined) return undefined
  return childNode(node, own(node.schema, 'additionalProperties'))
}

export function declaredNames(together: readonly SchemaNode[]): string[] {
  const names = together.flatMap((node) => {
    const properties = keyword(node, 'properties')
    return isRecord(properties) ? Object.keys(properties) : []
  })
  return [...new Set(names)]
}

export function requiredNames(together: readonly SchemaNode[], effort: Effort): Set<string> {
  const required = new Set(together.flatMap((node) => strings(keyword(node, 'required'))))
  effort.left -= required.size
  return required
}

export function requires(together: readonly SchemaNode[], name: string, effort: Effort): boolean {
  return together.some((node) => {
    const required = keyword(node, 'required')
    if (!isList(required)) return false
    effort.left -= required.length
    return required.includes(name)
  })
}

/** Returns the schemas of list items. Schemas with `prefixItems` are ignored. */
export function itemNodes(together: readonly SchemaNode[]): SchemaNode[] {
  return together.flatMap((node) =>
    keyword(node, 'prefixItems') === undefined ? (childNode(node, keyword(node, 'items')) ?? []) : [],
  )
}

/** Returns the minimum number of list items. */
export function leastItems(together: readonly SchemaNode[]): number {
  let least = 0
  for (const node of together) {
    const bound = keyword(node, 'minItems')
    if (typeof bound === 'number' && bound > least) least = bound
  }
  return least
}

export function defaultValue(together: readonly SchemaNode[]): Value | undefined {
  for (const node of together) {
    const value = keyword(node, 'default')
    if (value !== undefined) return value
  }
  return undefined
}

/** Returns the value of a keyword, or undefined for a boolean schema. */
export function keyword(node: SchemaNode, name: string): Value | undefined {
  return typeof node.schema === 'boolean' ? undefined : own(node.schema, name)
}

function strings(value: Value | undefined): string[] {
  return isList(value) ? value.filter((name) => typeof name === 'string') : []
}
