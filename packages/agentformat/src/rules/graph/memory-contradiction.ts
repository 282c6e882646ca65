/** Sub-agents without the memory that they require (Agent Format). */
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-43: a sub-agent that requires memory does not have the memory scope `none`. */
export const memoryContradiction: AgentRule = ({ space, agent }, report) => {
  for (const [index, entry] of (space.local_agents ?? []).entries()) {
    if (entry.memory_scope_strategy !== 'none') continue
    if (agent.agents.get(entry.alias)?.document.memory?.required !== true) continue
    const message = `${quote(entry.alias)} requires memory, but its memory scope is "none": it cannot run`
    report(['action_space', 'local_agents', index, 'memory_scope_strategy'], message)
  }
}
