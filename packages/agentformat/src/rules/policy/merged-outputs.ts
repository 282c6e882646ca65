import type { Agent } from '../../model/agent.ts'
import type { Delegation } from '../../policies/plan.ts'
import type { AgentWalk } from '../walk.ts'

/** A sub-agent whose output is merged. */
interface Merged {
  readonly delegation: Delegation
  readonly child: Agent
}

/** The loaded sub-agents that a policy merges; none when it does not merge. */
export function mergedOutputs({ plan, agent }: AgentWalk): Merged[] {
  const from = plan?.output?.from
  if (plan === undefined || from?.kind !== 'strategy' || from.strategy !== 'merge') return []
  return plan.delegations.flatMap((delegation) => {
    const child = agent.agents.get(delegation.alias)
    return child === undefined ? [] : [{ delegation, child }]
  })
}
