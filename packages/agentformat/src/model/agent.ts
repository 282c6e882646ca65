import type { AgentDocument } from './document.ts'

/**
 * A loaded document with its sub-agents resolved. Agents with the same source are the same object. Cycles are errors.
 */
export interface Agent {
  /** The canonical id of the document. */
  readonly source: string
  readonly document: AgentDocument
  /** Sub-agents by their alias in `local_agents`. */
  readonly agents: ReadonlyMap<string, Agent>
}

/**
 * Returns each agent in a graph with the shortest alias path to that agent, in breadth-first order.
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
  /** The canonical id of the referring document. Undefined for the entry document. */
  readonly from?: string
}

/**
 * Reads the text of a document. A rejection is reported at the reference; the error code `outside_folder` becomes its
 * `reason`.
 */
export type SourceReader = (ref: SourceRef) => Promise<string>
