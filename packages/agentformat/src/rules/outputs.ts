/** Rules for the source, type and merge of outputs (Agent Format). */

import type { Path } from '@joust/source'
import { OBJECT, typeNames } from '../data-flow/json-types.ts'
import { neverFits } from '../data-flow/never-fits.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../data-flow/schema-node.ts'
import { declaredNames } from '../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../model/quote.ts'
import { type Delegation, isMerge, type PolicyPlan } from '../policies/plan.ts'
import type { AgentRule } from './rule.ts'
import { type AgentWalk, type DelegatedAgent, delegatedAgents } from './walk.ts'

/** OPEN-29: `output_from` refers to an agent that the policy runs, with a single output. */
export const outputAgent: AgentRule = ({ plan, suggest }, report) => {
  if (plan?.output?.from.kind !== 'agent') return
  const { alias } = plan.output.from
  const runs = plan.delegations.filter((delegation) => delegation.alias === alias)
  if (alias === '') report(plan.output.path, 'empty agent alias')
  else if (runs.length === 0) {
    const candidates = new Set([...plan.delegations.map((delegation) => delegation.alias), 'last', 'merge', 'first'])
    report(plan.output.path, `no step runs ${quote(alias)}.`, { correction: suggest(alias, candidates) })
  } else if (runs.length > 1 && plan.order === 'together') {
    report(plan.output.path, `${quote(alias)} runs ${runs.length} times in parallel, so its output is ambiguous`)
  }
}

/** R-37: the result of a policy is compatible with the agent's declared output. */
export const outputFits: AgentRule = ({ plan, agent, document, effort }, report) => {
  if (plan === undefined) return
  const own = [rootNode(document.interface.output)]
  const types = possibleTypes(own, effort)
  if (isMerge(plan) && (types & OBJECT) === 0) {
    report(
      plan.output?.path ?? [],
      `the merged output is an object, but this agent's output must be ${typeNames(types)}`,
    )
  }
  for (const { delegation, path } of resultSources(plan)) {
    const output = agent.agents.get(delegation.alias)?.document.interface.output
    const misfit = output && neverFits([rootNode(output)], own, effort)
    if (misfit === undefined) continue
    const what = `${delegation.alias}.output${misfit.at === '' ? '' : `.${misfit.at}`}`
    report(path, `this agent's output is taken from ${delegation.alias}: ${what} ${misfit.message}`)
  }
}

/** Returns the delegations whose output may become the result unchanged. */
function resultSources(plan: PolicyPlan): { readonly delegation: Delegation; readonly path: Path }[] {
  const { delegations, output, order } = plan
  if (order === 'choice') return delegations.map((delegation) => ({ delegation, path: delegation.path }))
  const delegation = output && resultSource(delegations, output.from)
  return delegation === undefined ? [] : [{ delegation, path: output?.path ?? delegation.path }]
}

function resultSource(
  delegations: readonly Delegation[],
  from: NonNullable<PolicyPlan['output']>['from'],
): Delegation | undefined {
  if (from.kind === 'agent') return delegations.find((delegation) => delegation.alias === from.alias)
  if (from.kind === 'custom_transform' || from.strategy === 'merge') return undefined
  return from.strategy === 'first' ? delegations[0] : delegations.at(-1)
}

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

/** OPEN-26: merged outputs do not declare the same property, because different values make the run fail. */
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

function mergedOutputs(walk: AgentWalk): DelegatedAgent[] {
  return isMerge(walk.plan) ? delegatedAgents(walk) : []
}
