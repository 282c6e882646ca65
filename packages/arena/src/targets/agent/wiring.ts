/** Which actor plays which server or remote agent of an agent. */
import { type ActionSpace, type Agent, agentPaths } from '@joust/agentformat'
import { type Runtime, type Served, type ServeOptions, serveA2a, serveAgUi, serveMcp } from '@joust/runtime'
import { didYouMean, err, ok, type Result } from '@joust/source'
import type { ClientActor, ServerActor } from '../../model/target.ts'
import type { ClientMode, Connect, ServerMode } from '../../model/wiring.ts'

/** What the caller provides for the aliases of an agent. */
export interface WiringOptions {
  /** The actor that plays an alias under another name, by alias. */
  readonly bind: Readonly<Record<string, string>>
  /** Whether the runtime itself has something for an alias that no actor plays. */
  provides(list: PeerList, peer: Peer): boolean
  /** Where an actor is found, for people. */
  place(server: ServerActor): string
}

/** An agent whose servers and remote agents are actors. */
export interface AgentWiring {
  /** The agent, with what was attached to it. */
  readonly agent: Agent
  /** Actors by alias. */
  readonly mcp_servers: ReadonlyMap<string, ServerActor>
  readonly remote_agents: ReadonlyMap<string, ServerActor>
  /** Who plays what, for people. */
  readonly lines: readonly string[]
}

/** The lists of an action space that name peers. */
type PeerList = 'mcp_servers' | 'remote_agents'

type Peer = { readonly alias: string; readonly server_ref?: string }

/** What a server actor of a mode is to an agent. */
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
  /** Where it was attached, when the agent does not declare it. */
  readonly extra?: Agent
}

/**
 * Gives every server actor a part: what `bind` says, else the alias of its own name, else an additional server of the
 * first agent that has a model. Fails when nobody plays a peer of the agent.
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
  const actors = (wanted: PeerList) =>
    new Map(parts.filter(({ list }) => list === wanted).map(({ alias, server }) => [alias, server]))
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
    if (server.address === '') return err(`${server.actor} listens on a pipe, where the agent cannot reach it`)
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

/** That alias may already exist, played by another actor. */
function freeAlias(agents: readonly Agent[], list: PeerList, wanted: string): string {
  let alias = wanted
  for (let number = 2; declares(agents, list, alias); number++) alias = `${wanted}_${number}`
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
      const what = `bind: the agent declares no MCP server or remote agent ${JSON.stringify(alias)}`
      return `${what}.${didYouMean(alias, aliases)}`
    }
    const server = servers.find((candidate) => candidate.actor === actor)
    const list = server === undefined ? undefined : listOf[server.mode]
    if (list !== undefined && !declares(agents, list, alias)) {
      return `bind: ${actor} is an ${server?.mode}, and ${alias} is not among the ${nouns[list]}s of the agent`
    }
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
      const who = `${agent.document.metadata.id} declares the ${nouns[list]} ${peer.alias}`
      return `${who}, which no actor of this attack plays and the configuration does not have: configure it${hint}`
    }
  }
  return undefined
}

/** The graph with the parts in it; shared agents stay shared. */
function rewrite(root: Agent, parts: readonly Part[]): Agent {
  const made = new Map<Agent, Agent>()
  const remake = (agent: Agent): Agent => {
    const known = made.get(agent)
    if (known !== undefined) return known
    const agents = new Map([...agent.agents].map(([alias, child]) => [alias, remake(child)]))
    const action_space = extended(agent, parts)
    const remade = { ...agent, document: { ...agent.document, action_space }, agents }
    made.set(agent, remade)
    return remade
  }
  return remake(root)
}

function extended(agent: Agent, parts: readonly Part[]): ActionSpace {
  const { action_space = {} } = agent.document
  const plays = (alias: string) => parts.some((part) => part.list === 'mcp_servers' && part.alias === alias)
  const extras = (list: PeerList) =>
    parts.filter((part) => part.list === list && part.extra === agent).map(({ alias }) => ({ alias }))
  // Runtimes look for a `server_ref` first, which would find the real server.
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
  const whose = extra === undefined ? `${part} of the agent` : `one more ${part} of \`${extra.document.metadata.id}\``
  return `actor ${server.actor} (${server.mode}) ${place(server)} → ${whose}`
}

interface ServedAgent {
  /** By actor. */
  readonly endpoints: Readonly<Record<string, Connect>>
  /** Who reaches it and how, for people. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

const protocols: Readonly<Record<string, { readonly serve: typeof serveAgUi; readonly title: string }>> = {
  ag_ui_client: { serve: serveAgUi, title: 'AG-UI' },
  a2a_client: { serve: serveA2a, title: 'A2A' },
  mcp_client: { serve: serveMcp, title: 'MCP' },
} satisfies Record<ClientMode, object>

/** Serves an agent over every protocol that a client speaks, each once. Rejects when that fails. */
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
      const there = served.get(mode) ?? (await protocol.serve(runtime, agent, options))
      served.set(mode, there)
      endpoints.push([actor, { url: there.url }])
      lines.push(`actor ${actor} (${mode}) → the agent over ${protocol.title} at ${there.url}`)
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
  return { endpoints: Object.fromEntries(endpoints), lines, close }
}
