import type { Agent } from './model/agent.ts'
import { planOf } from './policies/table.ts'

/** The kind of a node. */
export type GraphNodeKind = 'agent' | 'tool' | 'mcp_server' | 'remote_agent'

/** An agent or anything that it may call. */
export interface GraphNode {
  readonly id: string
  readonly kind: GraphNodeKind
  /** An agent's name, or the alias of any other node. */
  readonly label: string
  /** The execution policy of an agent. */
  readonly policy?: string
}

/** An edge from an agent to a node that it runs or may call. */
export interface GraphEdge {
  readonly from: string
  readonly to: string
  readonly alias: string
  /**
   * The role of the target in the policy: `step 1`, `repeated step 1`, `parallel`, `route 2`, `default`, `each item`,
   * `may call` or `unused`.
   */
  readonly role: string
  /** True if calls to the target may need approval. */
  readonly approval: boolean
}

/** A loaded agent as nodes and edges, for drawing. */
export interface AgentGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/**
 * Returns an agent and all its descendants as a graph. The agent is the first node. A shared agent appears once.
 *
 * @example
 * const { nodes, edges } = graph(loadedAgent.agent)
 */
export function graph(agent: Agent): AgentGraph {
  const nodes: GraphNode[] = []
  const edges: GraphEdge[] = []
  const visited = new Set<Agent>([agent])
  // Iterating over a set includes members added meanwhile.
  for (const each of visited) {
    const id = agentId(each)
    const { metadata, execution_policy: policy } = each.document
    nodes.push({ id, kind: 'agent', label: metadata.name, policy: policy.id })
    for (const child of each.agents.values()) visited.add(child)
    for (const edge of agentEdges(each)) edges.push(edge)
    for (const { node, edge } of leaves(each)) {
      nodes.push(node)
      edges.push(edge)
    }
  }
  return { nodes, edges }
}

function agentId(agent: Agent): string {
  return `agent ${agent.source}`
}

/** Returns the edges to sub-agents: first those that the policy runs, in policy order, then the others. */
function agentEdges(agent: Agent): GraphEdge[] {
  const plan = planOf(agent.document.execution_policy)
  const planned = (plan?.delegations ?? []).map(({ alias, path }, index) => {
    const isDefault = path.at(-1) === 'default_agent'
    return { alias, role: isDefault ? 'default' : roleNames[plan?.order ?? 'choice'](index + 1) }
  })
  const named = new Set(planned.map(({ alias }) => alias))
  const entries = agent.document.action_space?.local_agents ?? []
  // A model may call the others, and so may a vendor policy. Other policies never do.
  const role = plan === undefined || plan.policy === 'agf.react' ? 'may call' : 'unused'
  const rest = entries.filter(({ alias }) => !named.has(alias)).map(({ alias }) => ({ alias, role }))
  const approvals = new Map(entries.map(({ alias, approval }) => [alias, needsApproval(approval)]))
  return [...planned, ...rest].flatMap(({ alias, role: part }) => {
    const child = agent.agents.get(alias)
    if (child === undefined) return []
    return [{ from: agentId(agent), to: agentId(child), alias, role: part, approval: approvals.get(alias) ?? false }]
  })
}

const roleNames = {
  sequence: (place: number) => `step ${place}`,
  loop: (place: number) => `repeated step ${place}`,
  together: () => 'parallel',
  choice: (place: number) => `route ${place}`,
  items: () => 'each item',
}

function leaves(agent: Agent): { node: GraphNode; edge: GraphEdge }[] {
  const { local_tools = [], mcp_servers = [], remote_agents = [] } = agent.document.action_space ?? {}
  const from = agentId(agent)
  const leaf = (kind: GraphNodeKind) => (entry: { alias: string; approval?: unknown }) => {
    const id = `${kind} ${entry.alias} of ${from}`
    const edge = { from, to: id, alias: entry.alias, role: 'may call', approval: needsApproval(entry.approval) }
    return { node: { id, kind, label: entry.alias }, edge }
  }
  return [
    ...local_tools.map(leaf('tool')),
    ...mcp_servers.map(leaf('mcp_server')),
    ...remote_agents.map(leaf('remote_agent')),
  ]
}

function needsApproval(approval: unknown): boolean {
  return approval !== undefined && approval !== false
}
