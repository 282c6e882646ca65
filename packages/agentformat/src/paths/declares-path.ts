/** Whether a schema has a path (P-04, OPEN-8): by references and all branches, never through a permissive object. */
import { isList, isRecord, own, type Value } from '@joust/source'
import { type Effort, newEffort, spend } from '../data-flow/effort.ts'
import { childNode, childNodes, followRef, rootNode, type SchemaNode } from '../data-flow/schema-node.ts'
import { declaredNames, keyword } from '../data-flow/schema-parts.ts'
import type { JsonSchema } from '../model/document.ts'
import { compilePattern } from '../model/pattern.ts'
import { EACH } from './path-expression.ts'

/** Where a path leaves a schema. */
interface Undeclared {
  /** Which segment is not declared. */
  readonly index: number
  /** The names that are declared in its place. */
  readonly names: readonly string[]
}

/** Whether a schema declares the field that the segments lead to. */
export function declaresPath(schema: JsonSchema, segments: readonly string[]): boolean {
  return findUndeclared(schema, segments, newEffort()) === undefined
}

/** No field has this name, so everything that is declared in its place is listed. */
const NOBODY = '\0'

/** The fields that a schema declares where the segments lead. */
export function declaredFields(schema: JsonSchema, segments: readonly string[]): readonly string[] {
  const found = findUndeclared(schema, [...segments, NOBODY], newEffort())
  return found?.index === segments.length ? found.names : []
}

/** The first segment that a schema does not declare; undefined when there is none, or when the effort is used up. */
export function findUndeclared(
  schema: JsonSchema,
  segments: readonly string[],
  effort: Effort,
): Undeclared | undefined {
  let nodes: readonly SchemaNode[] = [rootNode(schema)]
  for (const [index, segment] of segments.entries()) {
    const everywhere = branches(nodes, effort)
    nodes = everywhere.flatMap((node) => (segment === EACH ? elementNodes(node) : fieldNodes(node, segment, effort)))
    if (effort.left < 0) return undefined
    if (nodes.length > 0) continue
    const names = declaredNames(everywhere)
    effort.left -= names.length
    return { index, names }
  }
  return undefined
}

const LISTS = ['allOf', 'anyOf', 'oneOf']
const SINGLES = ['then', 'else']

/** The nodes with everything that may apply in their place. */
function branches(nodes: readonly SchemaNode[], effort: Effort): SchemaNode[] {
  const found: SchemaNode[] = []
  const seen = new Set<JsonSchema>()
  const pending = [...nodes]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node.schema)) continue
    if (!spend(effort)) return found
    seen.add(node.schema)
    found.push(node)
    for (const branch of branchesOf(node, effort)) pending.push(branch)
  }
  return found
}

function branchesOf(node: SchemaNode, effort: Effort): SchemaNode[] {
  const dependent = keyword(node, 'dependentSchemas')
  return [
    ...[followRef(node, effort) ?? []].flat(),
    ...LISTS.flatMap((name) => childNodes(node, keyword(node, name))),
    ...SINGLES.flatMap((name) => childNode(node, keyword(node, name)) ?? []),
    ...(isRecord(dependent) ? childNodes(node, Object.values(dependent)) : []),
  ]
}

function fieldNodes(node: SchemaNode, name: string, effort: Effort): SchemaNode[] {
  const properties = keyword(node, 'properties')
  if (isRecord(properties) && Object.hasOwn(properties, name)) return possible(childNode(node, own(properties, name)))
  const patterns = keyword(node, 'patternProperties')
  if (isRecord(patterns)) {
    const matching = Object.entries(patterns).filter(([pattern]) => matches(pattern, name, effort))
    if (matching.length > 0) return matching.flatMap(([, schema]) => possible(childNode(node, schema)))
  }
  const others = keyword(node, 'additionalProperties')
  return says(others) ? possible(childNode(node, others)) : []
}

/** Without `items`, a declared list still has elements. */
function elementNodes(node: SchemaNode): SchemaNode[] {
  const items = keyword(node, 'items')
  const first = childNodes(node, keyword(node, 'prefixItems'))
  if (isList(items)) return [...first, ...childNodes(node, items)]
  if (items !== undefined) return [...first, ...possible(childNode(node, items))]
  const type = keyword(node, 'type')
  const isArray = type === 'array' || (isList(type) && type.includes('array'))
  return isArray && first.length === 0 ? [{ schema: true, root: node.root }] : first
}

/** `false` declares that there is nothing. */
function possible(node: SchemaNode | undefined): SchemaNode[] {
  return node === undefined || node.schema === false ? [] : [node]
}

/** An object of values that are all alike declares every key; `true` and `{}` declare none. */
function says(others: Value | undefined): boolean {
  return isRecord(others) && Object.keys(others).length > 0
}

const COMPILING = 100

function matches(pattern: string, name: string, effort: Effort): boolean {
  effort.left -= COMPILING
  if (effort.left < 0) return false
  const regex = compilePattern(pattern)
  if (!regex.ok) return false
  const found = regex.value.test(name)
  return found.ok && found.value
}
