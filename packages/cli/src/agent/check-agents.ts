/** Checks several agent files, such as all files in a folder. Sub-agents are checked together with their parents. */
import { dirname, resolve } from 'node:path'
import { type Agent, checkAgent } from '@joust/agentformat'
import type { FileReport } from '../input/file-report.ts'
import type { Io } from '../terminal/io.ts'
import { type AgentText, loadAgentFile } from './load-agent-file.ts'

interface CheckAgentsOptions {
  readonly strict?: boolean | undefined
  /** Called with each valid agent that is not a sub-agent. */
  readonly onAgent?: (agent: Agent) => void
}

/** Checks all agent graphs. Files that no other file refers to come first, so that names resolve in their folders. */
export async function checkAgents(
  files: readonly AgentText[],
  io: Io,
  { strict = false, onAgent }: CheckAgentsOptions = {},
): Promise<FileReport[]> {
  const named = new Set(files.flatMap((file) => namedFiles(file, io)))
  // By absolute path: relative names depend on the folder.
  const reports = new Map<string, FileReport>()
  const roots = files.filter(({ path }) => !named.has(path))
  for (const file of [...roots, ...files]) {
    if (reports.has(file.path)) continue
    const { reports: found, agent } = await loadAgentFile(file, io, { strict })
    if (agent !== undefined) onAgent?.(agent)
    for (const report of found) if (!reports.has(report.path)) reports.set(report.path, report)
  }
  return [...reports.values()]
}

function namedFiles({ name, path, text }: AgentText, io: Io): string[] {
  const { remains, document = remains?.document } = checkAgent(text)
  const entries = document?.action_space?.local_agents ?? []
  return entries.map(({ source }) => resolve(io.cwd, dirname(name), source)).filter((other) => other !== path)
}
