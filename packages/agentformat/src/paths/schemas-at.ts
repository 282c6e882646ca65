/** What is certain about the value at a path, by the schema of its source: the schemas it satisfies, its presence. */
import type { Effort } from '../data-flow/effort.ts'
import { OBJECT } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode, type SchemaNode } from '../data-flow/schema-node.ts'
import { itemNodes, propertyNodes, requires } from '../data-flow/schema-parts.ts'
import type { JsonSchema } from '../model/document.ts'
import { EACH } from './path-expression.ts'

/** The value at a path, as far as its schema tells. */
interface ValueAtPath {
  /** Schemas that it satisfies when it is there; empty when nothing is known. */
  readonly nodes: readonly SchemaNode[]
  /** Whether it is there whenever the source is valid; for a path over a list, in each element. */
  readonly always: boolean
}

/** Follows a path through what must hold; branches such as `anyOf` are not followed: nothing is claimed about them. */
export function schemasAt(schema: JsonSchema, segments: readonly string[], effort: Effort): ValueAtPath {
  let nodes: readonly SchemaNode[] = [rootNode(schema)]
  let always = true
  for (const segment of segments) {
    const together = conjuncts(nodes, effort)
    if (segment === EACH) nodes = itemNodes(together)
    else {
      // Null on the way counts as absent (OPEN-11), so the object must be nothing but an object.
      always &&= requires(together, segment, effort) && possibleTypes(nodes, effort) === OBJECT
      nodes = propertyNodes(together, segment)
    }
  }
  return { nodes, always }
}
