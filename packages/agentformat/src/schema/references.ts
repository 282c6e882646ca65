/** Resolves references in a schema and finds circular ones. */
import type { ValueRecord } from '@joust/source'
import { newEffort } from '../data-flow/effort.ts'
import { childNode, followRef, type SchemaNode } from '../data-flow/schema-node.ts'
import type { JsonSchema } from '../model/document.ts'
import { partsOf, type SchemaPosition, schemaKeywords } from './positions.ts'
import type { SchemaProblem } from './problem.ts'

type References = ReadonlyMap<ValueRecord, SchemaNode>

/** Returns the target of every `$ref` within the document. */
export function resolveReferences(positions: readonly SchemaPosition[]): References {
  const schemas = new Set<JsonSchema>(positions.map(({ node }) => node.schema))
  const anchors = findAnchors(positions)
  const references = new Map<ValueRecord, SchemaNode>()
  for (const { node } of positions) {
    const { $ref } = node.schema
    if (typeof $ref !== 'string') continue
    const isPointer = $ref === '#' || $ref.startsWith('#/')
    const target = isPointer ? followRef(node, newEffort()) : anchors.get(node.root)?.get($ref)
    if (target === undefined) continue
    if (typeof target.schema === 'boolean' || schemas.has(target.schema)) references.set(node.schema, target)
  }
  return references
}

/** Returns the anchors of each schema resource, with a leading `#`. */
function findAnchors(positions: readonly SchemaPosition[]): Map<JsonSchema, Map<string, SchemaNode>> {
  const anchors = new Map<JsonSchema, Map<string, SchemaNode>>()
  for (const { node } of positions) {
    for (const name of [node.schema.$anchor, node.schema.$dynamicAnchor]) {
      if (typeof name !== 'string') continue
      const ofRoot = anchors.get(node.root) ?? new Map<string, SchemaNode>()
      anchors.set(node.root, ofRoot.set(`#${name}`, node))
    }
  }
  return anchors
}

/** Finds circular references: subschemas that apply themselves to the same value. */
export function circularReferences(positions: readonly SchemaPosition[], references: References): SchemaProblem[] {
  const paths = new Map(positions.map(({ node, path }) => [node.schema, path]))
  const state = new Map<ValueRecord, 'open' | 'done'>()
  const problems: SchemaProblem[] = []
  for (const { node } of positions) {
    // Depth-first with an explicit stack, because chains of references can be long.
    const trail: { schema: ValueRecord; next: SchemaNode[] }[] = []
    const visit = ({ schema, root }: SchemaNode): void => {
      if (typeof schema === 'boolean' || state.get(schema) === 'done') return
      if (state.get(schema) === 'open') {
        const path = paths.get(trail.at(-1)?.schema ?? schema) ?? []
        problems.push({ path, keyword: '$ref', message: 'circular $ref' })
        return
      }
      state.set(schema, 'open')
      trail.push({ schema, next: inPlace({ schema, root }, references) })
    }
    visit(node)
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const next = top.next.pop()
      if (next !== undefined) visit(next)
      else {
        state.set(top.schema, 'done')
        trail.pop()
      }
    }
  }
  return problems
}

function inPlace(node: SchemaPosition['node'], references: References): SchemaNode[] {
  const target = references.get(node.schema)
  const parts = Object.entries(node.schema)
    .filter(([keyword]) => schemaKeywords.get(keyword)?.inPlace)
    .flatMap(([keyword, operand]) => partsOf(keyword, operand))
    .flatMap(([, part]) => childNode(node, part) ?? [])
  return target === undefined ? parts : [target, ...parts]
}
