import type { AgentRule } from '../rule.ts'

/** OPEN-46: in a path expression `parent` is the agent itself, whatever alias a sub-agent has. */
export const reservedAlias: AgentRule = ({ space }, report) => {
  for (const [index, { alias }] of (space.local_agents ?? []).entries()) {
    if (alias !== 'parent') continue
    const message = 'path expressions cannot reach a local agent called "parent": in them "parent" means this agent'
    report(['action_space', 'local_agents', index, 'alias'], message)
  }
}
