/** Assigns server actors to an agent's MCP servers and remote agents. */
import { type ActionSpace, type Agent, agentPaths } from '@joust/agentformat'
import type { ClientActor, ClientMode, Connect, ServerActor, ServerMode } from '@joust/arena'
import { type Runtime, type Served, type ServeOptions, serveA2a, serveAgUi, serveMcp } from '@joust/runtime'
import { didYouMean, err, ok, type Result } from '@joust/source'

export interface WiringOptions {
  /** Actor names by alias, if the two differ. */
  readonly bind: Readonly<Record<string, string>>
  /** True if the runtime configures the server or remote agent of an alias that has no actor. */
  provides(list: PeerList, peer: Peer): boolean
  place(server: ServerActor): string
}

/** An agent with actors as its servers and remote agents. */
export interface AgentWiring {
  readonly agent: Agent
  readonly mcp_servers: ReadonlyMap<string, ServerActor>
  readonly remote_agents: ReadonlyMap<string, ServerActor>
  /** One sentence each. */
  readonly lines: readonly string[]
}

type PeerList = 'mcp_servers' | 'remote_agents'

type Peer = { readonly alias: string; readonly server_ref?: string }

const listOf: Readonly<Record<string, PeerList>> = {
  mcp_server: 'mcp_servers',
  a2a_server: 'remote_agents',
} satisfies Record<ServerMode, PeerList>
const nouns = { mcp_servers: 'MCP server', remote_agents: 'remote agent' }
const lists = ['mcp_servers', 'remote_agents'] as const

interface Part {
  readonly server: ServerActor
  readonly list: PeerList
  readonly alias: string
  /** The agent to which a server is added if no agent declares the server. */
  readonly extra?: Agent
}

/**
 * Assigns each server actor to its alias in `bind`, else to the alias that matches its name, else to an additional
 * server of the first agent with a model. Fails if a peer has neither an actor nor a configuration.
 */
export function wireAgent(
  root: Agent,
  servers: readonly ServerActor[],
  options: WiringOptions,
): Result<AgentWiring, string> {
  const agents = [...agentPaths(root).keys()]
  const cast = castParts(agents, servers, options)
  if (!cast.ok) return cast
  const parts = cast.value
  const missing = missingPeer(agents, parts, servers, options)
  if (missing !== undefined) return err(missing)
  const actors = (name: PeerList) =>
    new Map(parts.filter(({ list }) => list === name).map(({ alias, server }) => [alias, server]))
  return ok({
    agent: rewrite(root, parts),
    mcp_servers: actors('mcp_servers'),
    remote_agents: actors('remote_agents'),
    lines: parts.map((part) => describe(part, options)),
  })
}

function peersOf({ document }: Agent, list: PeerList): readonly Peer[] {
  return document.action_space?.[list] ?? []
}

function declares(agents: readonly Agent[], list: PeerList, alias: string): boolean {
  return agents.some((agent) => peersOf(agent, list).some((peer) => peer.alias === alias))
}

function castParts(
  agents: readonly Agent[],
  servers: readonly ServerActor[],
  { bind }: WiringOptions,
): Result<Part[], string> {
  const fault = bindFault(agents, servers, bind)
  if (fault !== undefined) return err(fault)
  const parts: Part[] = []
  for (const server of servers) {
    const list = listOf[server.mode]
    if (list === undefined) continue
    if (server.address === '') return err(`${server.actor} listens on a pipe, which the agent cannot reach`)
    const bound = Object.keys(bind).filter((alias) => bind[alias] === server.actor)
    const own = !Object.hasOwn(bind, server.actor) && declares(agents, list, server.actor)
    const aliases = bound.length > 0 ? bound : own ? [server.actor] : []
    parts.push(...aliases.map((alias) => ({ server, list, alias })))
    if (aliases.length > 0) continue
    const extra = agents.find(({ document }) => document.execution_policy.id === 'agf.react')
    if (extra === undefined) return err(`the agent has no model that could use ${server.actor} (${server.mode})`)
    parts.push({ server, list, alias: freeAlias(agents, list, server.actor), extra })
  }
  return ok(parts)
}

function freeAlias(agents: readonly Agent[], list: PeerList, name: string): string {
  let alias = name
  for (let number = 2; declares(agents, list, alias); number++) alias = `${name}_${number}`
  return alias
}

function bindFault(
  agents: readonly Agent[],
  servers: readonly ServerActor[],
  bind: WiringOptions['bind'],
): string | undefined {
  const declared = agents.flatMap((agent) => lists.flatMap((list) => peersOf(agent, list)))
  const aliases = declared.map(({ alias }) => alias)
  for (const [alias, actor] of Object.entries(bind)) {
    if (!aliases.includes(alias)) {
      const problem = `bind: the agent declares no MCP server or remote agent ${JSON.stringify(alias)}`
      return `${problem}.${didYouMean(alias, aliases)}`
    }
    const server = servers.find((candidate) => candidate.actor === actor)
    const list = server === undefined ? undefined : listOf[server.mode]
    if (list !== undefined && !declares(agents, list, alias))
      return `bind: actor ${actor} is an ${server?.mode}, but the agent has no ${nouns[list]} ${alias}`
  }
  return undefined
}

function missingPeer(
  agents: readonly Agent[],
  parts: readonly Part[],
  servers: readonly ServerActor[],
  { provides }: WiringOptions,
): string | undefined {
  const played = (list: PeerList, alias: string) =>
    parts.some((part) => part.list === list && part.alias === alias && part.extra === undefined)
  for (const agent of agents) {
    for (const list of lists) {
      const peer = peersOf(agent, list).find((one) => !played(list, one.alias) && !provides(list, one))
      if (peer === undefined) continue
      const actors = servers.filter(({ mode }) => listOf[mode] === list).map(({ actor }) => actor)
      const hint = actors.length === 0 ? '' : `, or bind it to an actor (${peer.alias}=${actors.join(' or ')})`
      const subject = `the ${nouns[list]} ${peer.alias} of ${agent.document.metadata.id}`
      return `${subject} has neither an actor nor a configuration: configure it${hint}`
    }
  }
  return undefined
}

/** Rewrites the agent graph with the assigned actors. Shared agents stay shared. */
function rewrite(root: Agent, parts: readonly Part[]): Agent {
  const copies = new Map<Agent, Agent>()
  const copy = (agent: Agent): Agent => {
    const existing = copies.get(agent)
    if (existing !== undefined) return existing
    const agents = new Map([...agent.agents].map(([alias, child]) => [alias, copy(child)]))
    const action_space = extended(agent, parts)
    const rewritten = { ...agent, document: { ...agent.document, action_space }, agents }
    copies.set(agent, rewritten)
    return rewritten
  }
  return copy(root)
}

function extended(agent: Agent, parts: readonly Part[]): ActionSpace {
  const { action_space = {} } = agent.document
  const plays = (alias: string) => parts.some((part) => part.list === 'mcp_servers' && part.alias === alias)
  const extras = (list: PeerList) =>
    parts.filter((part) => part.list === list && part.extra === agent).map(({ alias }) => ({ alias }))
  // Remove `server_ref`, which runtimes prefer: it would connect to the real server.
  const servers = (action_space.mcp_servers ?? []).map(({ server_ref, ...server }) =>
    server_ref === undefined || plays(server.alias) ? server : { ...server, server_ref },
  )
  return {
    ...action_space,
    mcp_servers: [...servers, ...extras('mcp_servers')],
    remote_agents: [...(action_space.remote_agents ?? []), ...extras('remote_agents')],
  }
}

function describe({ server, list, alias, extra }: Part, { place }: WiringOptions): string {
  const part = `${nouns[list]} \`${alias}\``
  const role = extra === undefined ? `${part} of the agent` : `additional ${part} of \`${extra.document.metadata.id}\``
  return `actor ${server.actor} (${server.mode}) ${place(server)} → ${role}`
}

interface ServedAgent {
  readonly endpoints: Readonly<Record<string, Connect>>
  /** One sentence each. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

const protocols: Readonly<Record<string, { readonly serve: typeof serveAgUi; readonly title: string }>> = {
  ag_ui_client: { serve: serveAgUi, title: 'AG-UI' },
  a2a_client: { serve: serveA2a, title: 'A2A' },
  mcp_client: { serve: serveMcp, title: 'MCP' },
} satisfies Record<ClientMode, object>

/** Serves an agent once per client protocol. Rejects if a server cannot be started. */
export async function serveClients(
  runtime: Runtime,
  agent: Agent,
  clients: readonly ClientActor[],
  options: ServeOptions,
): Promise<ServedAgent> {
  const served = new Map<string, Served>()
  const endpoints: [string, Connect][] = []
  const lines: string[] = []
  const close = async () => void (await Promise.allSettled([...served.values()].map((one) => one.close())))
  try {
    for (const { actor, mode } of clients) {
      const protocol = protocols[mode]
      if (protocol === undefined) continue
      const server = served.get(mode) ?? (await protocol.serve(runtime, agent, options))
      served.set(mode, server)
      endpoints.push([actor, { url: server.url }])
      lines.push(`actor ${actor} (${mode}) → the agent over ${protocol.title} at ${server.url}`)
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
  return { endpoints: Object.fromEntries(endpoints), lines, close }
}
