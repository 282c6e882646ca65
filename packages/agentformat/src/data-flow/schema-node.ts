import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { JsonSchema } from '../model/document.ts'
import { agentLimits } from '../model/limits.ts'
import { type Effort, spend } from './effort.ts'

/** A schema and the schema resource that `#` refers to. */
export interface SchemaNode {
  readonly schema: JsonSchema
  readonly root: JsonSchema
}

export function rootNode(schema: JsonSchema): SchemaNode {
  return { schema, root: schema }
}

/** Returns the node of a subschema, or undefined if the value is not a schema. */
export function childNode(parent: SchemaNode, part: Value | undefined): SchemaNode | undefined {
  if (typeof part === 'boolean') return { schema: part, root: parent.root }
  if (!isRecord(part)) return undefined
  const id = own(part, '$id')
  // A subschema with its own id is a separate resource. Up to draft 7, an id with "#" is an anchor.
  return { schema: part, root: typeof id === 'string' && !id.startsWith('#') ? part : parent.root }
}

/** Returns the nodes of a list of schemas, such as `allOf`. */
export function childNodes(parent: SchemaNode, parts: Value | undefined): SchemaNode[] {
  if (!isList(parts)) return []
  return parts.flatMap((part) => childNode(parent, part) ?? [])
}

/** Returns the target of `$ref`, or undefined if the target is missing or outside the document. */
export function followRef(node: SchemaNode, effort: Effort): SchemaNode | undefined {
  if (typeof node.schema === 'boolean') return undefined
  const ref = own(node.schema, '$ref')
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  if (ref === '#') return rootNode(node.root)
  const target = ref.startsWith('#/') ? atPointer(node.root, ref) : atAnchor(node.root, ref.slice(1), effort)
  return childNode(rootNode(node.root), target)
}

/** Collects the given schemas and, transitively, the schemas that they apply with `$ref` and `allOf`. */
export function conjuncts(nodes: readonly SchemaNode[], effort: Effort): SchemaNode[] {
  const result: SchemaNode[] = []
  const visited = new Set<JsonSchema>([true])
  const pending = [...nodes]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (visited.has(node.schema)) continue
    // An omitted schema only weakens the conclusion.
    if (!spend(effort)) return result
    visited.add(node.schema)
    const target = followRef(node, effort)
    if (target !== undefined) pending.push(target)
    if (refStandsAlone(node)) continue
    result.push(node)
    // Pushed one by one, because spreading a hostile list would exhaust the stack.
    if (typeof node.schema !== 'boolean')
      for (const part of childNodes(node, own(node.schema, 'allOf'))) pending.push(part)
  }
  return result
}

/** True if the siblings of `$ref` are ignored, as in drafts up to 7. */
function refStandsAlone({ schema, root }: SchemaNode): boolean {
  if (typeof schema === 'boolean' || typeof root === 'boolean' || own(schema, '$ref') === undefined) return false
  const dialect = own(root, '$schema')
  return typeof dialect === 'string' && /draft-0[3-7]/.test(dialect)
}

function atPointer(root: JsonSchema, ref: string): Value | undefined {
  if (ref.length > agentLimits.pointerCharacters) return undefined
  let value: Value | undefined = root
  for (const step of ref.slice(2).split('/')) {
    const key = decode(step)
    if (isList(value)) value = /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined
    else value = own(value, key)
  }
  return value
}

function decode(step: string): string {
  const unescaped = step.includes('%') ? percentDecoded(step) : step
  return unescaped.replaceAll('~1', '/').replaceAll('~0', '~')
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign belongs to the key.
    return text
  }
}

function atAnchor(root: JsonSchema, name: string, effort: Effort): ValueRecord | undefined {
  const pending: Value[] = [root]
  for (let value = pending.pop(); value !== undefined && spend(effort); value = pending.pop()) {
    if (isRecord(value) && (own(value, '$anchor') === name || own(value, '$id') === `#${name}`)) return value
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) pending.push(part)
  }
  return undefined
}
