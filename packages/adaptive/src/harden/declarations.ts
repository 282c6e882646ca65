/** Entries of an agent file for servers, remote agents and local tools. */
import type { Agent, AgentDocument, LocalTool, McpServer, McpToolRef, RemoteAgent } from '@joust/agentformat'
import type { SeenCall } from './evidence.ts'
import type { Basis } from './restraint.ts'

interface Entries {
  readonly mcp_servers: McpServer
  readonly remote_agents: RemoteAgent
  readonly local_tools: LocalTool
}

interface Declared<List extends keyof Entries> {
  readonly agent: Agent
  readonly entry: Entries[List]
}

/** Returns the entries that declare an actor, one per agent. Empty for a server that exists only in the attack. */
export function playedBy<List extends keyof Entries>(basis: Basis, list: List, actor: string): Declared<List>[] {
  return basis.aliasesOf(actor).flatMap((alias) => entriesOf(basis, list, alias))
}

/** Returns the declarations of the called local tool, one per agent. */
export function localToolsOf(basis: Basis, { local, tool }: SeenCall): Declared<'local_tools'>[] {
  return local !== true || tool === undefined ? [] : entriesOf(basis, 'local_tools', tool)
}

function entriesOf<List extends keyof Entries>({ agents }: Basis, list: List, alias: string): Declared<List>[] {
  return agents.flatMap((agent) =>
    listOf(agent.document, list)
      .filter((entry) => entry.alias === alias)
      .map((entry) => ({ agent, entry })),
  )
}

function listOf<List extends keyof Entries>({ action_space }: AgentDocument, list: List): readonly Entries[List][] {
  // The interface above gives the type of each list.
  return (action_space?.[list] ?? []) as readonly Entries[List][]
}

/** Returns the tools that the server listed in any attack. */
export function offeredBy({ all, aliasesOf }: Basis, alias: string): string[] {
  const names = all.flatMap(({ offers }) =>
    [...offers].flatMap(([actor, tools]) => (aliasesOf(actor).includes(alias) ? tools : [])),
  )
  return [...new Set(names)]
}

/** Describes the allow list that a restraint adds to a server that has no allow list. */
export function closing(server: McpServer, allowed: readonly string[]): string {
  if (server.allowed_tools !== undefined) return ''
  return allowed.length === 0 ? ', with a new, empty allow list' : `, with a new allow list: ${allowed.join(', ')}`
}

export function nameOf(entry: McpToolRef): string {
  return typeof entry === 'string' ? entry : entry.name
}

/** Copies the document with one entry changed or removed. */
export function withEntry<List extends keyof Entries>(
  document: AgentDocument,
  list: List,
  alias: string,
  change: (entry: Entries[List]) => Entries[List] | undefined,
): AgentDocument {
  const changed = listOf(document, list).flatMap((one) => (one.alias === alias ? (change(one) ?? []) : [one]))
  return { ...document, action_space: { ...document.action_space, [list]: changed } }
}
