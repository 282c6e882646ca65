/** How deep an agent delegates in every run (OPEN-37): known for all policies but react and vendors' own. */
import type { Agent } from '../../model/agent.ts'
import { quoteSome } from '../../model/quote.ts'
import type { PolicyPlan } from '../../policies/plan.ts'
import { planOf } from '../../policies/table.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-37: a policy that always delegates can run under the agent's own limit. */
export const depthPossible: AgentRule = ({ agent, document }, report) => {
  const limit = depthLimit(agent)
  if (limit === undefined) return
  const needed = depthNeeded(agent)
  if (needed <= limit) return
  const message = `${document.execution_policy.id} delegates ${needed} deep here, and the limit is ${limit}: no run can succeed`
  report(['constraints', 'limits', 'max_delegation_depth'], message)
}

/** OPEN-37: what a model may delegate to can be reached under the agent's limit. */
export const depthReachable: AgentRule = ({ agent, document, remoteAliases }, report) => {
  const limit = depthLimit(agent)
  if (limit === undefined || document.execution_policy.id !== 'agf.react') return
  const local = [...agent.agents].filter(([, child]) => 1 + depths()(child) > limit).map(([alias]) => alias)
  const remote = limit < 1 ? [...remoteAliases] : []
  const lost = [...local, ...remote]
  if (lost.length === 0) return
  report(
    ['constraints', 'limits', 'max_delegation_depth'],
    `under this limit the model can never use ${quoteSome(lost)}`,
  )
}

/** Levels of sub-agents that a run of the agent needs under the agent's own limit. */
function depthNeeded(agent: Agent): number {
  const needs = depths()
  // OPEN-36: an agent that lifts the invariant lets a direct sub-agent count by its own limit, if it declares one.
  const lifted = agent.document.constraints?.tighten_only_invariant === false
  return needs(agent, (child) => (lifted && depthLimit(child) !== undefined ? 0 : needs(child)))
}

/** The limit that an agent declares. */
function depthLimit(agent: Agent): number | undefined {
  return agent.document.constraints?.limits?.max_delegation_depth
}

type Needs = (agent: Agent, below?: (child: Agent) => number) => number

/** Agents are shared and may form a cycle, which is another finding: each is looked at once. */
function depths(): Needs {
  const known = new Map<Agent, number>()
  const needs: Needs = (agent, below = (child) => needs(child)) => {
    const before = known.get(agent)
    if (before !== undefined) return before
    known.set(agent, 0)
    const plan = planOf(agent.document.execution_policy)
    const depth = plan === undefined ? 0 : planDepth(plan, agent, below)
    known.set(agent, depth)
    return depth
  }
  return needs
}

/** Every step runs, but of the routes only one: the shallowest can. */
function planDepth(plan: PolicyPlan, agent: Agent, below: (child: Agent) => number): number {
  let depth: number | undefined
  for (const { alias } of plan.delegations) {
    const child = agent.agents.get(alias)
    const needed = 1 + (child === undefined ? 0 : below(child))
    depth = depth === undefined ? needed : plan.order === 'choice' ? Math.min(depth, needed) : Math.max(depth, needed)
  }
  return depth ?? 0
}
