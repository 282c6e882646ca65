/** One agent file with everything it leads to, as reports. */
import { type Agent, type AgentDiagnostic, loadAgent } from '@joust/agentformat'
import type { FileReport } from '../input/file-report.ts'
import type { Io } from '../terminal/io.ts'
import { type AgentText, fileSources } from './file-sources.ts'

/** A graph that was checked. */
interface AgentFile {
  /** A report for each file of the graph; the first is that of the file itself. */
  readonly reports: readonly FileReport[]
  /** Absent when there is an error. */
  readonly agent?: Agent
}

/** Loads an agent and everything it leads to. */
export async function loadAgentFile(entry: AgentText, io: Io, strict = false): Promise<AgentFile> {
  const { read, texts } = fileSources(entry, io)
  const loaded = await loadAgent(entry.name, { read, strict })
  const findings = loaded.ok ? loaded.value.warnings : loaded.error
  const reports = [...texts.values()].map((text) => report(text, findings))
  return loaded.ok ? { reports, agent: loaded.value.agent } : { reports }
}

/** The report already has the file's name, so findings need not repeat it. */
function report({ name, path, text }: AgentText, findings: readonly AgentDiagnostic[]): FileReport {
  const own = findings.filter(({ file }) => file === name).map(({ file: _, ...found }) => found)
  return { name, path, format: 'agent-format', text, diagnostics: own }
}
