/** A loaded agent: a document with its sub-agents resolved. */
import type { AgentDocument } from './document.ts'

/** A node of the graph. Agents that share a source are the same object; there are no cycles. */
export interface Agent {
  /** The canonical id of the document. */
  readonly source: string
  readonly document: AgentDocument
  /** The sub-agents by their alias in `local_agents`. */
  readonly agents: ReadonlyMap<string, Agent>
}

/** Every agent of a graph once, with the shortest way to it; those near the root first. */
export function agentPaths(root: Agent): Map<Agent, readonly string[]> {
  const paths = new Map<Agent, readonly string[]>([[root, []]])
  for (const [agent, path] of paths) {
    for (const [alias, child] of agent.agents) if (!paths.has(child)) paths.set(child, [...path, alias])
  }
  return paths
}

/** A reference to a document, as the reader gets it. */
export interface SourceRef {
  readonly source: string
  readonly sourceType: string
  /** The canonical id of the declaring document; absent for the entry. */
  readonly from?: string
}

/** Gets the text of a document. A rejection is reported at the reference. */
export type SourceReader = (ref: SourceRef) => Promise<string>
