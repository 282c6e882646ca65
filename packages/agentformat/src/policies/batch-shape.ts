import { newEffort } from '../data-flow/effort.ts'
import { ARRAY, NULL, OBJECT, type TypeSet } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../data-flow/schema-node.ts'
import { declaredNames, propertyNodes } from '../data-flow/schema-parts.ts'
import type { InterfaceSchema } from '../model/document.ts'

/** The output of a batch: a list of results, or an object with this list as a property. */
export type BatchShape = { readonly kind: 'list' } | { readonly kind: 'property'; readonly name: string }

/**
 * Returns the shape that the output schema requires (Agent Format OPEN-32). Undefined if no shape matches.
 *
 * @example
 * const shape = batchShape({ type: 'array', items: { type: 'string' } })
 */
export function batchShape(output: InterfaceSchema): BatchShape | undefined {
  const effort = newEffort()
  const root = [rootNode(output)]
  const types = possibleTypes(root, effort)
  if ((types & ARRAY) !== 0) return { kind: 'list' }
  if ((types & OBJECT) === 0) return undefined
  const together = conjuncts(root, effort)
  const typesOf = (name: string): TypeSet => possibleTypes(propertyNodes(together, name), effort)
  const names = declaredNames(together)
  if (names.includes('results') && (typesOf('results') & ARRAY) !== 0) return { kind: 'property', name: 'results' }
  const lists = names.filter((name) => (typesOf(name) & ~NULL) === ARRAY)
  const [name] = lists
  return name !== undefined && lists.length === 1 ? { kind: 'property', name } : undefined
}
