/** Determines whether a schema declares a path, through references and all branches (Agent Format P-04, OPEN-8). */
import { isList, isRecord, own } from '@joust/source'
import { type Effort, newEffort, spend } from '../data-flow/effort.ts'
import { childNode, childNodes, followRef, rootNode, type SchemaNode } from '../data-flow/schema-node.ts'
import { declaredNames, keyword } from '../data-flow/schema-parts.ts'
import type { JsonSchema } from '../model/document.ts'
import { compilePattern } from '../model/pattern.ts'
import { EACH } from './path-expression.ts'

/** The index of a path's first undeclared segment, and the names declared in its place. */
interface Undeclared {
  readonly index: number
  readonly names: readonly string[]
}

/**
 * True if a schema declares the field at a path.
 *
 * @example
 * console.log(declaresPath({ type: 'object', properties: { city: { type: 'string' } } }, ['city']))
 */
export function declaresPath(schema: JsonSchema, segments: readonly string[]): boolean {
  return findUndeclared(schema, segments, newEffort()) === undefined
}

/** An impossible field name, used to list the declared names at a position. */
const NO_FIELD = '\0'

/**
 * Returns the declared fields at a path.
 *
 * @example
 * console.log(declaredFields({ type: 'object', properties: { city: { type: 'string' } } }, []))
 */
export function declaredFields(schema: JsonSchema, segments: readonly string[]): readonly string[] {
  const undeclared = findUndeclared(schema, [...segments, NO_FIELD], newEffort())
  return undeclared?.index === segments.length ? undeclared.names : []
}

/** Returns the first undeclared segment. Undefined if all segments are declared, or if the effort is used up. */
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

function branches(nodes: readonly SchemaNode[], effort: Effort): SchemaNode[] {
  const result: SchemaNode[] = []
  const visited = new Set<JsonSchema>()
  const pending = [...nodes]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visited.has(node.schema)) continue
    if (!spend(effort)) return result
    visited.add(node.schema)
    result.push(node)
    for (const branch of branchesOf(node, effort)) pending.push(branch)
  }
  return result
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
  // `true` and `{}` declare no field.
  return isRecord(others) && Object.keys(others).length > 0 ? possible(childNode(node, others)) : []
}

/** Returns the schemas of list elements. A list without `items` may have any elements. */
function elementNodes(node: SchemaNode): SchemaNode[] {
  const items = keyword(node, 'items')
  const first = childNodes(node, keyword(node, 'prefixItems'))
  if (isList(items)) return [...first, ...childNodes(node, items)]
  if (items !== undefined) return [...first, ...possible(childNode(node, items))]
  const type = keyword(node, 'type')
  const isArray = type === 'array' || (isList(type) && type.includes('array'))
  return isArray && first.length === 0 ? [{ schema: true, root: node.root }] : first
}

function possible(node: SchemaNode | undefined): SchemaNode[] {
  return node === undefined || node.schema === false ? [] : [node]
}

const COMPILE_COST = 100

function matches(pattern: string, name: string, effort: Effort): boolean {
  effort.left -= COMPILE_COST
  if (effort.left < 0) return false
  const regex = compilePattern(pattern)
  if (!regex.ok) return false
  const match = regex.value.test(name)
  return match.ok && match.value
}
