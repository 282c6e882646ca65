/** Rules for the delegation depth of an agent (Agent Format OPEN-37). */
import type { Agent } from '../model/agent.ts'
import { quoteSome } from '../model/quote.ts'
import type { PolicyPlan } from '../policies/plan.ts'
import { planOf } from '../policies/table.ts'
import type { AgentRule } from './rule.ts'

/** OPEN-37: a policy that always delegates can run within the agent's delegation limit. */
export const depthPossible: AgentRule = ({ agent, document }, report) => {
  const limit = depthLimit(agent)
  if (limit === undefined) return
  const needed = depthNeeded(agent)
  if (needed <= limit) return
  const message = `${document.execution_policy.id} needs a delegation depth of ${needed}, but the limit is ${limit}, so every run fails`
  report(['constraints', 'limits', 'max_delegation_depth'], message)
}

/** OPEN-37: a model can reach its sub-agents within the agent's delegation limit. */
export const depthReachable: AgentRule = ({ agent, document, remoteAliases }, report) => {
  const limit = depthLimit(agent)
  if (limit === undefined || document.execution_policy.id !== 'agf.react') return
  const local = [...agent.agents].filter(([, child]) => 1 + depths()(child) > limit).map(([alias]) => alias)
  const remote = limit < 1 ? [...remoteAliases] : []
  const unreachable = [...local, ...remote]
  if (unreachable.length === 0) return
  const message = `with this limit, the model cannot delegate to ${quoteSome(unreachable)}`
  report(['constraints', 'limits', 'max_delegation_depth'], message)
}

function depthNeeded(agent: Agent): number {
  const needs = depths()
  // OPEN-36: if the invariant is lifted, a direct sub-agent's own limit applies to it, if declared.
  const lifted = agent.document.constraints?.tighten_only_invariant === false
  return needs(agent, (child) => (lifted && depthLimit(child) !== undefined ? 0 : needs(child)))
}

function depthLimit(agent: Agent): number | undefined {
  return agent.document.constraints?.limits?.max_delegation_depth
}

type Needs = (agent: Agent, below?: (child: Agent) => number) => number

/** Creates a function that computes the required depth of each agent once. A cycle counts as zero. */
function depths(): Needs {
  const cache = new Map<Agent, number>()
  const needs: Needs = (agent, below = (child) => needs(child)) => {
    const cached = cache.get(agent)
    if (cached !== undefined) return cached
    cache.set(agent, 0)
    const plan = planOf(agent.document.execution_policy)
    const depth = plan === undefined ? 0 : planDepth(plan, agent, below)
    cache.set(agent, depth)
    return depth
  }
  return needs
}

/** Returns the required depth of a plan: the depth of the deepest step or of the shallowest route. */
function planDepth(plan: PolicyPlan, agent: Agent, below: (child: Agent) => number): number {
  let depth: number | undefined
  for (const { alias } of plan.delegations) {
    const child = agent.agents.get(alias)
    const needed = 1 + (child === undefined ? 0 : below(child))
    depth = depth === undefined ? needed : plan.order === 'choice' ? Math.min(depth, needed) : Math.max(depth, needed)
  }
  return depth ?? 0
}
