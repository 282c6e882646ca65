import { type Misfit, neverFits } from '../../data-flow/never-fits.ts'
import { rootNode } from '../../data-flow/schema-node.ts'
import type { AgentWalk } from '../walk.ts'
import { type FedAgent, fedAgents } from './fed-agents.ts'

/** A sub-agent that gets the parent's whole input, and why it can never take it. */
interface PassedInput extends FedAgent {
  readonly misfit: Misfit | undefined
}

/** Every sub-agent of a policy that has no mapping (OPEN-23). */
export function passedInputs(walk: AgentWalk): PassedInput[] {
  const own = [rootNode(walk.document.interface.input)]
  return fedAgents(walk)
    .filter(({ delegation }) => delegation.mapping === undefined)
    .map((fed) => ({ ...fed, misfit: neverFits(own, [rootNode(fed.input)], walk.effort) }))
}
