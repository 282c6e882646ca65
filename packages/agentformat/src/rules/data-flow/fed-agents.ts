import { type Misfit, neverFits } from '../../data-flow/never-fits.ts'
import { rootNode } from '../../data-flow/schema-node.ts'
import type { InterfaceSchema } from '../../model/document.ts'
import type { Delegation } from '../../policies/plan.ts'
import type { AgentWalk } from '../walk.ts'

/** A sub-agent that a policy feeds, and what it takes. */
interface FedAgent {
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

/** Every sub-agent that has no mapping and so gets the parent's whole input (OPEN-23), and why it can never take it. */
export function passedInputs(walk: AgentWalk): (FedAgent & { readonly misfit: Misfit | undefined })[] {
  const own = [rootNode(walk.document.interface.input)]
  return fedAgents(walk)
    .filter(({ delegation }) => delegation.mapping === undefined)
    .map((fed) => ({ ...fed, misfit: neverFits(own, [rootNode(fed.input)], walk.effort) }))
}
