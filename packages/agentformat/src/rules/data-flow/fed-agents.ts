import type { InterfaceSchema } from '../../model/document.ts'
import type { Delegation } from '../../policies/plan.ts'
import type { AgentWalk } from '../walk.ts'

/** A sub-agent that a policy feeds, and what it takes. */
export interface FedAgent {
  readonly delegation: Delegation
  readonly input: InterfaceSchema
}

/** The loaded sub-agents of a policy. */
export function fedAgents({ plan, agent }: AgentWalk): FedAgent[] {
  return (plan?.delegations ?? []).flatMap((delegation) => {
    const input = agent.agents.get(delegation.alias)?.document.interface.input
    return input === undefined ? [] : [{ delegation, input }]
  })
}
