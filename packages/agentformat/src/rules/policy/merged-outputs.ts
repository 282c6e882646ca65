/** Merged outputs are objects and do not overlap (Agent Format). */
import { OBJECT, typeNames } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { declaredNames } from '../../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../../model/quote.ts'
import { isMerge } from '../../policies/plan.ts'
import type { AgentRule } from '../rule.ts'
import { type AgentWalk, type DelegatedAgent, delegatedAgents } from '../walk.ts'

/** OPEN-27: merged outputs are objects. */
export const mergeObjects: AgentRule = (walk, report) => {
  for (const { delegation, output } of mergedOutputs(walk)) {
    const types = possibleTypes([rootNode(output)], walk.effort)
    if ((types & OBJECT) !== 0) continue
    report(
      delegation.path,
      `only objects can be merged, but the output of ${quote(delegation.alias)} is ${typeNames(types)}`,
    )
  }
}

/** OPEN-26: merged outputs do not declare the same property, since different values make the run fail. */
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
    const message = `the merge fails if outputs have different values for ${quoteSome(shared)}, also declared by ${agents}`
    report(delegation.path, message)
  }
}

/** The loaded sub-agents whose outputs a policy merges. */
function mergedOutputs(walk: AgentWalk): DelegatedAgent[] {
  return isMerge(walk.plan) ? delegatedAgents(walk) : []
}
