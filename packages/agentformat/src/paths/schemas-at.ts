import type { Effort } from '../data-flow/effort.ts'
import { OBJECT } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode, type SchemaNode } from '../data-flow/schema-node.ts'
import { itemNodes, propertyNodes, requires } from '../data-flow/schema-parts.ts'
import type { JsonSchema } from '../model/document.ts'
import { EACH } from './path-expression.ts'

interface ValueAtPath {
  /** Schemas that the value matches if it exists. Empty if nothing is known. */
  readonly nodes: readonly SchemaNode[]
  /** True if the value exists in every valid source or, for a path over a list, in every element. */
  readonly always: boolean
}

/** Follows a path through the schemas that must match. Branches such as `anyOf` are ignored. */
export function schemasAt(schema: JsonSchema, segments: readonly string[], effort: Effort): ValueAtPath {
  let nodes: readonly SchemaNode[] = [rootNode(schema)]
  let always = true
  for (const segment of segments) {
    const together = conjuncts(nodes, effort)
    if (segment === EACH) nodes = itemNodes(together)
    else {
      // A null parent counts as missing (Agent Format OPEN-11), so the type must be exactly object.
      always &&= requires(together, segment, effort) && possibleTypes(nodes, effort) === OBJECT
      nodes = propertyNodes(together, segment)
    }
  }
  return { nodes, always }
}
