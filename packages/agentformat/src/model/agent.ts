/** A loaded agent: a document with its sub-agents resolved. */
import type { AgentDocument } from './document.ts'

/** A node of the graph. Agents with the same source are the same object; there are no cycles. */
export interface Agent {
  /** The canonical id of the document. */
  readonly source: string
  readonly document: AgentDocument
  /** The sub-agents by their alias in `local_agents`. */
  readonly agents: ReadonlyMap<string, Agent>
}

/**
 * Every agent of a graph once, with the shortest path of aliases to it, in breadth-first order.
 *
 * @example
 * for (const [{ document }, path] of agentPaths(loadedAgent.agent)) console.log(path.join('.'), document.metadata.id)
 */
export function agentPaths(root: Agent): Map<Agent, readonly string[]> {
  const paths = new Map<Agent, readonly string[]>([[root, []]])
  for (const [agent, path] of paths) {
    for (const [alias, child] of agent.agents) if (!paths.has(child)) paths.set(child, [...path, alias])
  }
  return paths
}

/** A reference to a document, as passed to the reader. */
export interface SourceRef {
  readonly source: string
  readonly sourceType: string
  /** The canonical id of the declaring document; absent for the entry. */
  readonly from?: string
}

/** Reads the text of a document. A rejection is reported at the reference; `outside_folder` is a known error code. */
export type SourceReader = (ref: SourceRef) => Promise<string>
