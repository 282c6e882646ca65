/** The type of a policy's result (Agent Format). */
import type { Path } from '@joust/source'
import { OBJECT, typeNames } from '../../data-flow/json-types.ts'
import { neverFits } from '../../data-flow/never-fits.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { rootNode } from '../../data-flow/schema-node.ts'
import { type Delegation, isMerge, type PolicyPlan } from '../../policies/plan.ts'
import type { AgentRule } from '../rule.ts'

/** R-37: the result of a policy can match the declared output of the agent. */
export const outputFits: AgentRule = ({ plan, agent, document, effort }, report) => {
  if (plan === undefined) return
  const own = [rootNode(document.interface.output)]
  const types = possibleTypes(own, effort)
  if (isMerge(plan) && (types & OBJECT) === 0) {
    report(
      plan.output?.path ?? [],
      `merged outputs are an object, but the output of this agent must be ${typeNames(types)}`,
    )
  }
  for (const { delegation, path } of resultSources(plan)) {
    const output = agent.agents.get(delegation.alias)?.document.interface.output
    const misfit = output && neverFits([rootNode(output)], own, effort)
    if (misfit === undefined) continue
    const what = `${delegation.alias}.output${misfit.at === '' ? '' : `.${misfit.at}`}`
    report(path, `the output of this agent is taken from ${delegation.alias}: ${what} ${misfit.message}`)
  }
}

/** The delegations whose output may become the result unchanged. A batch has its own shape. */
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
