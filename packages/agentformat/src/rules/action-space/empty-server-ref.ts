/** Empty references to MCP servers (Agent Format). */
import type { AgentRule } from '../rule.ts'

/** OPEN-44: an empty `server_ref` is treated as missing. */
export const emptyServerRef: AgentRule = ({ space }, report) => {
  for (const [index, server] of (space.mcp_servers ?? []).entries()) {
    if (server.server_ref !== '') continue
    const message = 'empty server_ref: the alias is used instead; remove the field'
    report(['action_space', 'mcp_servers', index, 'server_ref'], message)
  }
}
