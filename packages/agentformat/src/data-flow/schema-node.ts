/** A JSON Schema with the document its references point into, and the schemas that hold together with it. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import type { JsonSchema } from '../model/document.ts'
import { agentLimits } from '../model/limits.ts'
import { type Effort, spend } from './effort.ts'

/** A schema, and the schema resource that `#` means inside it. */
export interface SchemaNode {
  readonly schema: JsonSchema
  readonly root: JsonSchema
}

/** The node of a whole schema document. */
export function rootNode(schema: JsonSchema): SchemaNode {
  return { schema, root: schema }
}

/** The node of a part of a schema; undefined when the part is not a schema. */
export function childNode(parent: SchemaNode, part: Value | undefined): SchemaNode | undefined {
  if (typeof part === 'boolean') return { schema: part, root: parent.root }
  if (!isRecord(part)) return undefined
  const id = own(part, '$id')
  // A part with an id of its own is a resource of its own; up to draft 7 an id with "#" is what `$anchor` is today.
  return { schema: part, root: typeof id === 'string' && !id.startsWith('#') ? part : parent.root }
}

/** The nodes of a list of schemas, such as `allOf`. */
export function childNodes(parent: SchemaNode, parts: Value | undefined): SchemaNode[] {
  if (!isList(parts)) return []
  return parts.flatMap((part) => childNode(parent, part) ?? [])
}

/** What `$ref` points at; undefined when there is none or it leaves the document. */
export function followRef(node: SchemaNode, effort: Effort): SchemaNode | undefined {
  if (typeof node.schema === 'boolean') return undefined
  const ref = own(node.schema, '$ref')
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  if (ref === '#') return rootNode(node.root)
  const target = ref.startsWith('#/') ? atPointer(node.root, ref) : atAnchor(node.root, ref.slice(1), effort)
  return childNode(rootNode(node.root), target)
}

/** Every schema that holds where the given ones do: themselves, what they refer to, and their `allOf`. */
export function conjuncts(nodes: readonly SchemaNode[], effort: Effort): SchemaNode[] {
  const found: SchemaNode[] = []
  const seen = new Set<JsonSchema>([true])
  const pending = [...nodes]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.has(node.schema)) continue
    // What is left out only makes the conclusion weaker.
    if (!spend(effort)) return found
    seen.add(node.schema)
    const target = followRef(node, effort)
    if (target !== undefined) pending.push(target)
    if (refStandsAlone(node)) continue
    found.push(node)
    // One by one: a spread would put a hostile number of arguments on the stack.
    if (typeof node.schema !== 'boolean')
      for (const part of childNodes(node, own(node.schema, 'allOf'))) pending.push(part)
  }
  return found
}

/** Up to draft 7 everything beside a `$ref` is ignored. */
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
    // A stray percent sign is not an escape; the pointer then names a key that has one.
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
