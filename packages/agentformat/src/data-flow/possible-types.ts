import { isList, own, type Value, type ValueRecord } from '@joust/source'
import { agentLimits } from '../model/limits.ts'
import { type Effort, spend } from './effort.ts'
import { ANY_TYPE, NO_TYPE, namedTypes, type TypeSet, typeOf } from './json-types.ts'
import { childNodes, conjuncts, type SchemaNode } from './schema-node.ts'

/** Returns the types of values that match all schemas. May return too many types, never too few. */
export function possibleTypes(nodes: readonly SchemaNode[], effort: Effort): TypeSet {
  return typesOf(nodes, effort, new Set())
}

function typesOf(nodes: readonly SchemaNode[], effort: Effort, active: Set<object>): TypeSet {
  let types = ANY_TYPE
  for (const node of conjuncts(nodes, effort)) types &= ownTypes(node, effort, active)
  return types
}

/**
 * Returns the types of a single schema. `not`, `if` and similar keywords only exclude types, so ignoring them is safe.
 */
function ownTypes(node: SchemaNode, effort: Effort, active: Set<object>): TypeSet {
  const { schema } = node
  if (typeof schema === 'boolean') return schema ? ANY_TYPE : NO_TYPE
  // Stop at circular references, which add nothing, and at long chains, which would exhaust the stack.
  if (active.has(schema) || active.size > agentLimits.typesDepth) return ANY_TYPE
  active.add(schema)
  let types = declaredTypes(schema, effort)
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = childNodes(node, own(schema, keyword))
    if (branches.length > 0) types &= unionOf(branches, effort, active)
  }
  active.delete(schema)
  return types
}

function declaredTypes(schema: ValueRecord, effort: Effort): TypeSet {
  const type = own(schema, 'type')
  const constant = own(schema, 'const')
  const choices = own(schema, 'enum')
  let types = ANY_TYPE
  if (type !== undefined) types &= isList(type) ? union(type, namedTypes, effort) : namedTypes(type)
  if (constant !== undefined) types &= typeOf(constant)
  if (isList(choices)) types &= union(choices, typeOf, effort)
  return types
}

function unionOf(branches: readonly SchemaNode[], effort: Effort, active: Set<object>): TypeSet {
  let types = NO_TYPE
  for (const branch of branches) {
    if (types === ANY_TYPE || !spend(effort)) return ANY_TYPE
    types |= typesOf([branch], effort, active)
  }
  return types
}

function union(values: readonly Value[], typesOfValue: (value: Value) => TypeSet, effort: Effort): TypeSet {
  let types = NO_TYPE
  for (const value of values) {
    if (!spend(effort)) return ANY_TYPE
    types |= typesOfValue(value)
  }
  return types
}
