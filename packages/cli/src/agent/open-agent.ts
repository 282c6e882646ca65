/** Reads, loads and checks the agent file given on the command line, and prints the findings. */
import { relative, resolve } from 'node:path'
import type { Agent, AgentCode } from '@joust/agentformat'
import type { RunCode } from '@joust/runtime'
import { err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import { type FileReport, isError } from '../input/file-report.ts'
import { formatOf } from '../input/format-of.ts'
import { isWrongPath, readText, STDIN } from '../input/read.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { type AgentText, loadAgentFile } from './load-agent-file.ts'

const { failedRun } = exitCodes

/** An error that has been printed: the exit code, and the error in the format of a run error. */
export interface OpenFault {
  readonly exitCode: number
  readonly error: {
    readonly code: RunCode | AgentCode
    readonly message: string
    readonly agent: readonly []
    readonly details?: readonly object[]
  }
}

export async function readAgentText(path: string, io: Io): Promise<Result<AgentText, OpenFault>> {
  const file = path === STDIN ? { name: '<stdin>', path: STDIN } : inputFile(resolve(io.cwd, path), io.cwd, true)
  const text = await readText(file.path, io)
  const fault = (code: AgentCode, message: string, exitCode: number) =>
    err({ exitCode, error: { code, message, agent: [] } } as const)
  if (!text.ok) {
    const message = `${file.name}: ${text.error.message}`
    const exitCode = isWrongPath(text.error) ? wrongUsage([message], io) : giveUp(message, io, failedRun)
    return fault('unresolvable_source', message, exitCode)
  }
  if (formatOf(text.value) === 'oatf') {
    const message = `${file.name}: this is an attack document, not an agent file; check it with joust validate`
    return fault('schema_violation', message, giveUp(message, io, failedRun))
  }
  return ok({ name: file.name, path: file.path, text: text.value })
}

export interface OpenedAgent {
  readonly agent: Agent
  /** The path of the agent file; `-` for standard input. */
  readonly path: string
  /** Texts of the files in the graph, by their names in findings. */
  readonly texts: ReadonlyMap<string, string>
}

export async function openAgent(
  path: string,
  io: Io,
  { quiet = false, root }: { readonly quiet?: boolean; readonly root?: string | undefined } = {},
): Promise<Result<OpenedAgent, OpenFault>> {
  const entry = await readAgentText(path, io)
  if (!entry.ok) return entry
  if (root !== undefined && path === STDIN) return refuseRoot('--root needs an agent file, not standard input', io)
  if (root !== undefined && relative(resolve(io.cwd, root), entry.value.path).startsWith('..'))
    return refuseRoot(`${entry.value.name} is outside --root ${root}`, io)
  const { reports, agent } = await loadAgentFile(entry.value, io, { root })
  if (agent === undefined || !quiet) printFindings(reports, io)
  if (agent === undefined) {
    const isOutside = reports.some(({ diagnostics }) => diagnostics.some(({ reason }) => reason === 'outside_folder'))
    if (root === undefined && isOutside) tell(io, ROOT_HINT)
    const exitCode = giveUp(`${entry.value.name} cannot be used: it has errors`, io, failedRun)
    return err({ exitCode, error: loadError(entry.value.name, reports) })
  }
  const texts = new Map(reports.map(({ name, text = '' }) => [name, text]))
  return ok({ agent, path: entry.value.path, texts })
}

const ROOT_HINT = 'sub-agents outside the folder of the first file need --root FOLDER, a folder that all files are in'

function refuseRoot(message: string, io: Io): Result<never, OpenFault> {
  return err({ exitCode: wrongUsage([message], io), error: { code: 'config_invalid', message, agent: [] } })
}

function loadError(name: string, reports: readonly FileReport[]): OpenFault['error'] {
  const details = reports.flatMap(({ name: file, diagnostics }) =>
    diagnostics.filter(isError).map((found) => ({ file, ...found })),
  )
  const messages = details.map(({ file, line, column = 1, message }) =>
    line === undefined ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`,
  )
  // Findings in agent files have Agent Format codes.
  const code = (details[0]?.code ?? 'schema_violation') as AgentCode
  return { code, message: `${name} cannot be used: ${messages.join('; ')}`, agent: [], details }
}
