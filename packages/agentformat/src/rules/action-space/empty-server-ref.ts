import type { AgentRule } from '../rule.ts'

/** OPEN-44: an empty `server_ref` is taken as absent. */
export const emptyServerRef: AgentRule = ({ space }, report) => {
  for (const [index, server] of (space.mcp_servers ?? []).entries()) {
    if (server.server_ref !== '') continue
    const message = 'the reference is empty, so the server will be found by its alias; leave the field out'
    report(['action_space', 'mcp_servers', index, 'server_ref'], message)
  }
}
