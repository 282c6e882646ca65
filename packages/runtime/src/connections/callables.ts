/** An agent's callables: tools, servers and other agents (decision 0019, OPEN-44, OPEN-46, OPEN-48.3). */
import type { McpServer } from '@joust/agentformat'
import type { AgentContext } from '../context/agent-context.ts'
import type { PolicyCall } from '../context/policy-call.ts'
import { toolDenial } from '../governance/governance.ts'
import type { CallableSet } from '../model/callable.ts'
import { agentCallables } from '../tools/agents.ts'
import { localCallables } from '../tools/local.ts'
import { mcpSource } from '../tools/mcp.ts'
import { type Candidate, nameCallables } from '../tools/names.ts'
import { remoteCallables } from '../tools/remote.ts'
import type { ConnectionPool } from './connection-pool.ts'

/** Connects an agent to its servers. Rejects with `tool_failed` if a server or remote agent is unreachable. */
export async function openCallables(
  pool: ConnectionPool,
  context: AgentContext,
  delegate: PolicyCall['delegate'],
): Promise<CallableSet> {
  const { mcp_servers = [], remote_agents = [] } = context.agent.document.action_space ?? {}
  const [servers, remotes] = await Promise.all([
    Promise.all(mcp_servers.map((server) => openServer(server, pool, context))),
    Promise.all(remote_agents.map(async (agent) => ({ agent, connection: await pool.remote(agent, context) }))),
  ])
  const local = localCallables(context)
  const agents = agentCallables(context, delegate)
  const remote = remotes.flatMap(({ agent, connection }) => remoteCallables(agent, connection, context))
  return {
    instructions: () =>
      servers.map(({ alias, instructions }) => ({ alias, text: instructions() })).filter(({ text }) => text !== ''),
    async list(signal) {
      const lists = await Promise.all(servers.map(({ source }) => source(signal)))
      const candidates = [...local, ...lists.flat(), ...agents, ...remote].filter((one) => allowed(one, context))
      return nameCallables(candidates)
    },
  }
}

async function openServer(server: McpServer, pool: ConnectionPool, context: AgentContext) {
  const use = await pool.mcp(server, context)
  const live = () => use.connection.instructions ?? ''
  const instructions = () => context.journal?.once(`instructions ${server.alias}`, live) ?? live()
  return { alias: server.alias, instructions, source: mcpSource(server, use, context) }
}

/** Removes callables denied by governance, although `dispatch` would reject them too. */
function allowed({ callable }: Candidate, { governance }: AgentContext): boolean {
  return callable.kind === 'agent' || toolDenial(governance, [callable.name, ...callable.names]) === undefined
}
