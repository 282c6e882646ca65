/** Finding a sub-agent by its alias. */
import type { Agent } from '@joust/agentformat'
import type { PolicyCall } from '../context/policy-call.ts'
import { RunFailure } from '../model/errors.ts'

/** The sub-agent of an alias. Loading has checked it; an agent that was built by hand, or a vendor policy, may name another. */
export function childOf(call: Pick<PolicyCall<unknown>, 'agent' | 'context'>, alias: string): Agent {
  const child = call.agent.agents.get(alias)
  if (child !== undefined) return child
  const known = [...call.agent.agents.keys()].join(', ')
  const message = `there is no local agent ${JSON.stringify(alias)}; there is ${known === '' ? 'none' : known}`
  throw new RunFailure({ code: 'unknown_agent', message, agent: call.context.path })
}
