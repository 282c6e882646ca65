/** The servers, remote agents and local tools of an agent file: who declares them, what they offer, and how an entry is changed. */
import type { Agent, AgentDocument, LocalTool, McpServer, McpToolRef, RemoteAgent } from '@joust/agentformat'
import type { SeenCall } from './evidence.ts'
import type { Scene } from './restraint.ts'

/** An MCP server that an agent of the graph declares. */
export interface DeclaredServer {
  readonly agent: Agent
  readonly server: McpServer
}

/** The declarations of an alias, one for each agent that has it. */
export function serversOf({ agents }: Scene, alias: string): DeclaredServer[] {
  return agents.flatMap((agent) =>
    (agent.document.action_space?.mcp_servers ?? [])
      .filter((server) => server.alias === alias)
      .map((server) => ({ agent, server })),
  )
}

/** A call of a tool that the file says something about. */
interface DeclaredCall extends DeclaredServer {
  readonly call: SeenCall
  readonly tool: string
}

/** Where the calls of an actor are declared; nowhere, if the attack brought its own server. */
export function declarationsOf(scene: Scene, call: SeenCall): DeclaredCall[] {
  const { tool } = call
  if (tool === undefined) return []
  return scene.aliasesOf(call.actor).flatMap((alias) => serversOf(scene, alias).map((at) => ({ ...at, call, tool })))
}

/** Every tool that an alias was seen to offer, in all attacks. */
export function offeredBy({ all, aliasesOf }: Scene, alias: string): string[] {
  const names = all.flatMap(({ offers }) =>
    [...offers].flatMap(([actor, tools]) => (aliasesOf(actor).includes(alias) ? tools : [])),
  )
  return [...new Set(names)]
}

/** What a restraint closes in passing: a file without an allow list gets one of the tools that were seen. */
export function closing(server: McpServer, allowed: readonly string[]): string {
  if (server.allowed_tools !== undefined) return ''
  const but = allowed.length === 0 ? '' : ` but ${allowed.join(', ')}`
  return `, and allow no tool there${but}: the file lists none`
}

/** The name in an entry of an allow list. */
export function nameOf(entry: McpToolRef): string {
  return typeof entry === 'string' ? entry : entry.name
}

/** The lists of an agent file that a restraint may change, with the types of their entries. */
interface Entries {
  readonly mcp_servers: McpServer
  readonly remote_agents: RemoteAgent
  readonly local_tools: LocalTool
}

/** The document with the entries of an alias changed, or without them. */
export function withEntry<List extends keyof Entries>(
  document: AgentDocument,
  list: List,
  alias: string,
  change: (entry: Entries[List]) => Entries[List] | undefined,
): AgentDocument {
  const { action_space = {} } = document
  // The interface above gives the type of each list.
  const entries = (action_space[list] ?? []) as readonly Entries[List][]
  const changed = entries.flatMap((one) => (one.alias === alias ? (change(one) ?? []) : [one]))
  return { ...document, action_space: { ...action_space, [list]: changed } }
}

/** The agents of the graph that declare the tool of a call. */
export function localToolsOf(
  { agents }: Scene,
  { local, tool }: SeenCall,
): { readonly agent: Agent; readonly alias: string }[] {
  if (local !== true || tool === undefined) return []
  return agents
    .filter(({ document }) => (document.action_space?.local_tools ?? []).some(({ alias }) => alias === tool))
    .map((agent) => ({ agent, alias: tool }))
}
