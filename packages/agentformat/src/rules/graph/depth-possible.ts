import type { AgentRule } from '../rule.ts'
import { depthLimit, depthNeeded } from './delegation-depth.ts'

/** OPEN-37: a policy that always delegates can run under the agent's own limit. */
export const depthPossible: AgentRule = ({ agent, document }, report) => {
  const limit = depthLimit(agent)
  if (limit === undefined) return
  const needed = depthNeeded(agent)
  if (needed <= limit) return
  const message = `${document.execution_policy.id} delegates ${needed} deep here, and the limit is ${limit}: no run can succeed`
  report(['constraints', 'limits', 'max_delegation_depth'], message)
}
