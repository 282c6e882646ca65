/** The agent file that a command line names: read, loaded, checked; whatever is wrong with it is printed. */
import { resolve } from 'node:path'
import type { Agent } from '@joust/agentformat'
import { err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import { formatOf } from '../input/format-of.ts'
import { isWrongPath, readText, STDIN } from '../input/read.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, wrongUsage } from '../terminal/io.ts'
import { type AgentText, loadAgentFile } from './load-agent-file.ts'

const { failedRun } = exitCodes

/** Reads the file, or says why that failed and returns the exit code. */
export async function readAgentText(path: string, io: Io): Promise<Result<AgentText, number>> {
  const file = path === STDIN ? { name: '<stdin>', path: STDIN } : inputFile(resolve(io.cwd, path), io.cwd, true)
  const text = await readText(file.path, io)
  if (!text.ok) {
    const fault = `${file.name}: ${text.error.message}`
    return err(isWrongPath(text.error) ? wrongUsage([fault], io) : giveUp(fault, io, failedRun))
  }
  if (formatOf(text.value) === 'oatf')
    return err(giveUp(`${file.name}: this is an OATF document, not an agent; joust validate checks it`, io, failedRun))
  return ok({ name: file.name, path: file.path, text: text.value })
}

/** An agent that can be run. */
export interface OpenedAgent {
  readonly agent: Agent
  /** Where its file is; `-` for standard input. */
  readonly path: string
  /** The texts of the graph, by the name that findings carry. */
  readonly texts: ReadonlyMap<string, string>
}

/** Loads the agent, prints the findings to stderr, and returns the exit code when there is an error. */
export async function openAgent(path: string, io: Io, { quiet = false } = {}): Promise<Result<OpenedAgent, number>> {
  const entry = await readAgentText(path, io)
  if (!entry.ok) return entry
  const { reports, agent } = await loadAgentFile(entry.value, io)
  if (agent === undefined || !quiet) printFindings(reports, io)
  if (agent === undefined) return err(giveUp(`${entry.value.name} cannot be used: it has errors`, io, failedRun))
  const texts = new Map(reports.map(({ name, text = '' }) => [name, text]))
  return ok({ agent, path: entry.value.path, texts })
}
