import type { GraphDocument, GraphDocuments } from './read-graph.ts'

interface Cycle {
  readonly from: GraphDocument
  readonly reference: GraphDocument['references'][number]
  /** The documents in the cycle, from the target of the reference to the document that contains it. */
  readonly ids: readonly string[]
}

interface Visit {
  readonly node: GraphDocument
  next: number
}

/** Finds every reference that closes a cycle. Iterative, so that long chains cannot exhaust the stack. */
export function findCycles(documents: GraphDocuments): Cycle[] {
  const cycles: Cycle[] = []
  const done = new Set<string>()
  for (const start of documents.values()) {
    if (!done.has(start.id)) visit(start, documents, done, cycles)
  }
  return cycles
}

function visit(start: GraphDocument, documents: GraphDocuments, done: Set<string>, cycles: Cycle[]): void {
  const trail: Visit[] = [{ node: start, next: 0 }]
  const onTrail = new Map([[start.id, 0]])
  for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
    const reference = top.node.references[top.next++]
    if (reference === undefined) {
      trail.pop()
      onTrail.delete(top.node.id)
      done.add(top.node.id)
      continue
    }
    const start = onTrail.get(reference.id)
    const target = documents.get(reference.id)
    if (start !== undefined) {
      cycles.push({ from: top.node, reference, ids: trail.slice(start).map((step) => step.node.id) })
    } else if (target !== undefined && !done.has(reference.id)) {
      onTrail.set(reference.id, trail.length)
      trail.push({ node: target, next: 0 })
    }
  }
}
