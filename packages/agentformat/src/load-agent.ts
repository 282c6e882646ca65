/** Loads an agent graph: reads, parses, links and checks all documents, and reports all problems together. */
import { err, type Limits, ok, type Result, sortByPosition, withLimits } from '@joust/source'
import type { Agent, SourceReader } from './model/agent.ts'
import type { AgentDiagnostic } from './model/diagnostic.ts'
import { agentLimits } from './model/limits.ts'
import { locate } from './model/origin.ts'
import { quoteSome } from './model/quote.ts'
import { checkAgent } from './parse-agent.ts'
import { runRules } from './rules/run.ts'
import { agentRules } from './rules/table.ts'
import { findCycles } from './sources/find-cycles.ts'
import { type GraphDocuments, graphFolder, readGraph } from './sources/read-graph.ts'

/**
 * Options for {@link loadAgent}.
 *
 * @example
 * const loaded = await loadAgent('clerk.agf.yaml', { read: ({ source }) => readFile(source, 'utf8'), strict: true })
 */
export interface LoadAgentOptions {
  readonly read: SourceReader
  /**
   * The folder that must contain all files: a prefix of `entry` that ends with `/`, or an empty string.
   * @default the folder of `entry`
   */
  readonly root?: string
  /** Treats unknown fields and some other warnings as errors. @default false */
  readonly strict?: boolean
  /** Limits on the work for hostile input. @default `defaultLimits` */
  readonly limits?: Partial<Limits>
}

/** The root agent of a valid graph, and all warnings. */
export interface LoadedAgent {
  readonly agent: Agent
  readonly warnings: AgentDiagnostic[]
}

/**
 * Loads an agent and its sub-agents. Paths use `/` on every system. On failure, returns errors and warnings grouped by
 * file and sorted by position.
 *
 * @example
 * const loaded = await loadAgent('clerk.agf.yaml', { read: ({ source }) => readFile(source, 'utf8') })
 */
export async function loadAgent(
  entry: string,
  options: LoadAgentOptions,
): Promise<Result<LoadedAgent, AgentDiagnostic[]>> {
  // JavaScript callers may omit `read`.
  if (typeof options?.read !== 'function') return err([unreadable(entry)])
  const { read, root, strict = false, limits } = options
  const folder = root ?? graphFolder(entry)
  const parse = (text: string, file: string) => {
    const { remains, ...checked } = checkAgent(text, { file, strict, limits })
    return { ...checked, ...remains }
  }
  const documents = await readGraph(entry, { read, parse, most: agentLimits.documents, folder })
  reportCycles(documents)
  const agents = linkAgents(documents)
  const findings = [...documents.values()].flatMap(({ id, diagnostics, lost }) => {
    const agent = agents.get(id)
    const checked = agent === undefined ? [] : runRules(agentRules, agent, { strict, limits: withLimits(limits), lost })
    const invalid = new Set(diagnostics.flatMap(({ code, path }) => (code === 'schema_violation' ? [path] : [])))
    const all = [...diagnostics, ...checked]
    return sortByPosition(all.filter(({ code, path }) => code === 'schema_violation' || !invalid.has(path)))
  })
  const agent = agents.get(entry)
  if (agent === undefined || findings.some(({ severity }) => severity === 'error')) return err(findings)
  return ok({ agent, warnings: findings })
}

function unreadable(file: string): AgentDiagnostic {
  const message = `${quoteSome([file])} cannot be read: missing option "read"`
  return { severity: 'error', code: 'unresolvable_source', rule: 'OPEN-45', message, file }
}

function reportCycles(documents: GraphDocuments): void {
  for (const { from, reference, ids } of findCycles(documents)) {
    if (from.document === undefined) continue
    from.diagnostics.push({
      severity: 'error',
      code: 'agent_cycle',
      rule: 'OPEN-45',
      message: `circular reference between agents: ${quoteSome([...ids, reference.id])}`,
      ...locate(from.document, reference.path),
    })
  }
}

/** Creates and links the agents. A shared document becomes a shared agent. Invalid documents are omitted. */
function linkAgents(documents: GraphDocuments): Map<string, Agent> {
  const linked = new Map<string, { agent: Agent; agents: Map<string, Agent> }>()
  for (const { id, document } of documents.values()) {
    if (document === undefined) continue
    const agents = new Map<string, Agent>()
    linked.set(id, { agent: { source: id, document, agents }, agents })
  }
  for (const { id, references } of documents.values()) {
    for (const reference of references) {
      const isValid = documents.get(reference.id)?.lost === undefined
      const child = isValid ? linked.get(reference.id)?.agent : undefined
      const agents = linked.get(id)?.agents
      // Duplicate aliases are an error. The first one is linked.
      if (child !== undefined && agents !== undefined && !agents.has(reference.alias))
        agents.set(reference.alias, child)
    }
  }
  return new Map([...linked].map(([id, { agent }]) => [id, agent]))
}
