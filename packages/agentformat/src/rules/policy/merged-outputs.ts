/** Outputs that a policy merges are objects, and do not overlap. */
import { OBJECT, typeNames } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { declaredNames } from '../../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../../model/quote.ts'
import { isMerge } from '../../policies/plan.ts'
import type { AgentRule } from '../rule.ts'
import { type AgentWalk, type DelegatedAgent, delegatedAgents } from '../walk.ts'

/** OPEN-27: only objects are merged. */
export const mergeObjects: AgentRule = (walk, report) => {
  for (const { delegation, output } of mergedOutputs(walk)) {
    const types = possibleTypes([rootNode(output)], walk.effort)
    if ((types & OBJECT) !== 0) continue
    report(delegation.path, `only objects can be merged, and ${quote(delegation.alias)} gives ${typeNames(types)}`)
  }
}

/** OPEN-26: outputs that are merged do not declare the same property: with different values the run fails. */
export const mergeOverlap: AgentRule = (walk, report) => {
  const owners = new Map<string, string>()
  for (const { delegation, output } of mergedOutputs(walk)) {
    const names = declaredNames(conjuncts([rootNode(output)], walk.effort))
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

/** The loaded sub-agents that a policy merges; none when it does not merge. */
function mergedOutputs(walk: AgentWalk): DelegatedAgent[] {
  return isMerge(walk.plan) ? delegatedAgents(walk) : []
}
