/** `joust agent check PATH…`: checks agents without running them. */
import { dirname } from 'node:path'
import type { Agent } from '@joust/agentformat'
import { ok, own, type Result } from '@joust/source'
import { checkAgents } from '../../agent/check-agents.ts'
import { checkBindings } from '../../agent/check-bindings.ts'
import type { AgentText } from '../../agent/load-agent-file.ts'
import { type OpenFault, readAgentText } from '../../agent/open-agent.ts'
import { printReports } from '../../check/print-reports.ts'
import { discover, type InputFile } from '../../input/discover.ts'
import { formatOf } from '../../input/format-of.ts'
import { readText } from '../../input/read.ts'
import type { AgentCheckOptions } from '../../options/documents.ts'
import { openProject } from '../../project/read.ts'
import { type Io, wrongUsage } from '../../terminal/io.ts'

/** Prints the findings in all graphs; returns 1 for an error, or with `strict` for a warning. */
export async function check(paths: readonly string[], options: AgentCheckOptions, io: Io): Promise<number> {
  const files = await discover(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  const texts: AgentText[] = []
  for (const file of files.value) {
    const read = await readAgent(file, io)
    if (!read.ok) return read.error.exitCode
    if (read.value !== undefined) texts.push(read.value)
  }
  if (texts.length === 0) return wrongUsage([`no agent in ${paths.join(' ')}`], io)
  const project = await openProject(options.config, options.quiet, io)
  if (!project.ok) return project.error
  const agents: Agent[] = []
  const reports = await checkAgents(texts, io, { strict: options.strict, onAgent: (agent) => agents.push(agent) })
  const bindings = own(project.value?.source.value, 'bindings') ?? (options.config === undefined ? undefined : {})
  const bound = await checkBindings(agents, bindings, project.value && dirname(project.value.path))
  const all = reports.map((report) => {
    return { ...report, diagnostics: [...report.diagnostics, ...(bound.get(report.name) ?? [])] }
  })
  return printReports(all, { ...options, failOnWarnings: options.strict }, io)
}

/** Reads an agent file. A file named on the command line must be an agent; other files in a folder are skipped. */
async function readAgent(file: InputFile, io: Io): Promise<Result<AgentText | undefined, OpenFault>> {
  if (file.named || file.folder === 'unlisted') return readAgentText(file.path, io)
  if (/\.agf\.(?:yaml|yml|json)$/.test(file.name)) return readAgentText(file.path, io)
  const text = await readText(file.path, io)
  return ok(text.ok && formatOf(text.value) === 'agent-format' ? { ...file, text: text.value } : undefined)
}
