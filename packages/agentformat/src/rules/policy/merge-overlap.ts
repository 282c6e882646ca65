import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { declaredNames } from '../../data-flow/schema-parts.ts'
import { quoteSome } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { mergedOutputs } from './merged-outputs.ts'

/** OPEN-26: outputs that are merged do not declare the same property: with different values the run fails. */
export const mergeOverlap: AgentRule = (walk, report) => {
  const owners = new Map<string, string>()
  for (const { delegation, child } of mergedOutputs(walk)) {
    const names = declaredNames(conjuncts([rootNode(child.document.interface.output)], walk.effort))
    walk.effort.left -= names.length
    if (walk.effort.left < 0) return
    const shared = names.filter((name) => owners.has(name))
    for (const name of names) if (!owners.has(name)) owners.set(name, delegation.alias)
    if (shared.length === 0) continue
    const agents = quoteSome([...new Set(shared.map((name) => owners.get(name) ?? ''))])
    const message = `merging fails when outputs differ in a property that both have: ${quoteSome(shared)}, as in ${agents}`
    report(delegation.path, message)
  }
}
