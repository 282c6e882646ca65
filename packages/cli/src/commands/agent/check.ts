/** `joust agent check PATH…`: checks agents without running them. */
import type { Agent } from '@joust/agentformat'
import type { RunCode, RuntimeOptions } from '@joust/runtime'
import { isRecord, ok, own, type Result, type Value } from '@joust/source'
import { checkAgents } from '../../agent/check-agents.ts'
import type { AgentText } from '../../agent/load-agent-file.ts'
import { type OpenFault, readAgentText } from '../../agent/open-agent.ts'
import { faultsOf, locateFault } from '../../agent/run-faults.ts'
import { printReports } from '../../check/print-reports.ts'
import { discover, type InputFile } from '../../input/discover.ts'
import type { Finding } from '../../input/file-report.ts'
import { formatOf } from '../../input/format-of.ts'
import { readText } from '../../input/read.ts'
import type { AgentCheckOptions } from '../../options/documents.ts'
import { openProject } from '../../project/read.ts'
import { type Io, wrongUsage } from '../../terminal/io.ts'

/** Prints all findings of all graphs; returns 1 for an error, or with `strict` for a warning. */
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
  const bound = await checkBindings(agents, bindings)
  const all = reports.map((report) => {
    return { ...report, diagnostics: [...report.diagnostics, ...(bound.get(report.name) ?? [])] }
  })
  return printReports(all, { ...options, failOnWarnings: options.strict }, io)
}

/** A named file must be an agent; other files of a folder are skipped. */
async function readAgent(file: InputFile, io: Io): Promise<Result<AgentText | undefined, OpenFault>> {
  if (file.named || file.folder === 'unlisted') return readAgentText(file.path, io)
  if (/\.agf\.(?:yaml|yml|json)$/.test(file.name)) return readAgentText(file.path, io)
  const text = await readText(file.path, io)
  return ok(text.ok && formatOf(text.value) === 'agent-format' ? { ...file, text: text.value } : undefined)
}

/** Codes that do not depend on the environment, a key or an option of the run. */
const certain: ReadonlySet<string> = new Set<RunCode>([
  'unbound_tool',
  'unmapped_server',
  'memory_required',
  'policy_unresolved',
  'unknown_transform',
  'unsupported_policy',
])

/**
 * The findings by file. They are errors if a project file has bindings; otherwise warnings, because a program may
 * provide them.
 */
async function checkBindings(
  agents: readonly Agent[],
  bindings: Value | undefined,
): Promise<ReadonlyMap<string, readonly Finding[]>> {
  const { createRuntime } = await import('@joust/runtime')
  const { scriptedModel } = await import('@joust/sim')
  const runtime = createRuntime({ ...placeholders(bindings), models: () => scriptedModel([]) })
  const severity = bindings === undefined ? 'warning' : 'error'
  const findings = new Map<string, Finding[]>()
  for (const agent of agents) {
    const prepared = await runtime.prepare(agent, { reach: false })
    for (const fault of prepared.ok ? [] : faultsOf(prepared.error)) {
      // Every export of a module can be a tool.
      const isOpen = fault.code === 'unbound_tool' && own(bindings, 'module') !== undefined
      if (!certain.has(fault.code) || isOpen) continue
      const { source, finding } = locateFault(fault, agent)
      const existing = findings.get(source) ?? []
      // Several agents may share a sub-agent.
      if (existing.some(({ code, message }) => code === finding.code && message === finding.message)) continue
      findings.set(source, [...existing, { ...finding, severity }])
    }
  }
  await runtime.close()
  return findings
}

/** A stand-in for every bound name. */
function placeholders(bindings: Value | undefined): RuntimeOptions {
  const names = (section: string) => {
    const entries = own(bindings, section)
    return isRecord(entries) ? Object.keys(entries) : []
  }
  const under = <T>(section: string, thing: T) => Object.fromEntries(names(section).map((name) => [name, thing]))
  const connect = () => Promise.reject(new Error('nothing is connected'))
  return {
    tools: under('tools', { call: () => null }),
    mcpServers: under('mcp_servers', { connect }),
    remoteAgents: under('remote_agents', { connect }),
  }
}
