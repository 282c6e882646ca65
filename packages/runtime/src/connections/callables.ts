/** What an agent can call: local tools, MCP servers, sub-agents, remote agents (OPEN-44, OPEN-46, OPEN-48.3). */
import type { McpServer } from '@joust/agentformat'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import { toolFault } from '../governance/governance.ts'
import type { CallableSet } from '../model/callable.ts'
import { agentCallables } from '../tools/agents.ts'
import { localCallables } from '../tools/local.ts'
import { mcpSource } from '../tools/mcp.ts'
import { type Candidate, nameCallables } from '../tools/names.ts'
import { remoteCallables } from '../tools/remote.ts'
import type { ConnectionPool } from './connection-pool.ts'

/** Connects what the agent declares. Rejects with `tool_failed` when a server or a remote agent cannot be reached. */
export async function openCallables(
  pool: ConnectionPool,
  context: AgentContext,
  delegate: PolicyCall['delegate'],
): Promise<CallableSet> {
  const { mcp_servers = [], remote_agents = [] } = context.agent.document.action_space ?? {}
  const [servers, remotes] = await Promise.all([
    Promise.all(mcp_servers.map((server) => openServer(server, pool, context))),
    Promise.all(remote_agents.map(async (remote) => ({ remote, connection: await pool.remote(remote, context) }))),
  ])
  const local = localCallables(context)
  const agents = agentCallables(context, delegate)
  const afar = remotes.flatMap(({ remote, connection }) => remoteCallables(remote, connection, context))
  return {
    instructions: () => servers.map(({ alias, told }) => ({ alias, text: told() })).filter(({ text }) => text !== ''),
    async list(signal) {
      const lists = await Promise.all(servers.map(({ source }) => source(signal)))
      const candidates = [...local, ...lists.flat(), ...agents, ...afar].filter((one) => allowed(one, context))
      return nameCallables(candidates)
    },
  }
}

async function openServer(server: McpServer, pool: ConnectionPool, context: AgentContext) {
  const use = await pool.mcp(server, context)
  const live = () => use.connection.instructions ?? ''
  const told = () => context.journal?.once(`instructions ${server.alias}`, live) ?? live()
  return { alias: server.alias, told, source: mcpSource(server, use, context) }
}

/** What governance forbids is not offered; `dispatch` would refuse it as well. */
function allowed({ callable }: Candidate, { governance }: AgentContext): boolean {
  return callable.kind === 'agent' || toolFault(governance, [callable.name, ...callable.names]) === undefined
}
