/** Why a run failed, shown with the part of the document that it is about. */
import { type Agent, locate } from '@joust/agentformat'
import type { RunCode, RunError } from '@joust/runtime'
import { type Diagnostic, isList, isRecord, type Path, printable, type Value } from '@joust/source'
import type { FileReport } from '../input/file-report.ts'
import { printFindings } from '../render/text.ts'
import { type Io, tell } from '../terminal/io.ts'

interface Fault {
  readonly code: string
  readonly message: string
  readonly agent: readonly string[]
  /** The part of the document that it is about; absent where its code says it. */
  readonly path?: Path
}

/** Prints an error and its causes to stderr, then how to fix it. */
export function tellFault(error: RunError, root: Agent, texts: ReadonlyMap<string, string>, io: Io): void {
  const faults = faultsOf(error)
  const reports = faults.map((fault) => report(fault, root, texts))
  printFindings(reports, io)
  for (const hint of new Set(faults.flatMap((fault) => hintFor(fault) ?? []))) tell(io, hint)
}

/** From the outermost to the innermost; what preparation found missing is a list. */
export function faultsOf(error: RunError | { readonly message: string } | undefined): Fault[] {
  if (error === undefined) return []
  if (!('code' in error)) return []
  const listed = isList(error.details) ? error.details.flatMap(faultIn) : []
  const own = listed.length > 0 ? listed : [withCause(error)]
  return [...own, ...faultsOf(error.cause)]
}

function withCause({ code, message, agent, cause }: RunError): Fault {
  const more = cause === undefined || 'code' in cause || message.includes(cause.message) ? '' : `: ${cause.message}`
  return { code, message: message + more, agent }
}

function faultIn(value: Value): Fault[] {
  if (!isRecord(value)) return []
  const { code, message, agent, path } = value
  if (typeof code !== 'string' || typeof message !== 'string' || !isList(agent)) return []
  const place = isList(path) ? { path: path.map((part) => (typeof part === 'number' ? part : String(part))) } : {}
  return [{ code, message, agent: agent.map(String), ...place }]
}

function report(fault: Fault, root: Agent, texts: ReadonlyMap<string, string>): FileReport {
  const { source: name, finding } = locateFault(fault, root)
  const text = texts.get(name)
  return {
    name: printable(name),
    path: name,
    format: 'agent-format',
    diagnostics: [finding],
    ...(text === undefined ? {} : { text }),
  }
}

/** A fault as a finding, and the file that it is in. */
export function locateFault(
  { code, message, agent: path, path: part }: Fault,
  root: Agent,
): { readonly source: string; readonly finding: Diagnostic } {
  const agent = path.reduce<Agent | undefined>((parent, alias) => parent?.agents.get(alias), root)
  const about = part ?? own(places, code)
  const { file: _, ...place } = agent === undefined || about === undefined ? {} : locate(agent.document, about)
  return { source: agent?.source ?? root.source, finding: { severity: 'error', code, message, ...place } }
}

function own<T>(table: { readonly [code: string]: T | undefined }, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined
}

const model: Path = ['execution_policy', 'config', 'model']

/** The part of a document that a code is about. */
const places: { readonly [code in RunCode]?: Path } = {
  unsupported_policy: ['execution_policy', 'id'],
  unbound_tool: ['action_space', 'local_tools'],
  unmapped_server: ['action_space'],
  memory_required: ['memory'],
  policy_unresolved: ['constraints', 'governance_policies'],
  unknown_transform: ['execution_policy', 'config', 'output_from'],
  input_validation: ['interface', 'input'],
  output_validation: ['interface', 'output'],
  missing_key: model,
  model_failed: model,
  answer_incomplete: model,
}

/** The format has one code for a server that is not mapped and for one that does not answer. */
function hintFor({ code, message }: Fault): string | undefined {
  return message.includes('is mapped, but cannot be reached') ? UNREACHED : own(hints, code)
}

const UNREACHED =
  'is it running? joust.yaml says where it is, or how to start it: bindings, mcp_servers and remote_agents'
const FROM_A_PROGRAM = 'the command cannot provide one; run the agent from a program that passes one to the runtime'

/** How to fix a fault. */
const hints: { readonly [code in RunCode]?: string } = {
  unbound_tool: 'bind local tools in joust.yaml: bindings: { tools: { NAME: { module: ./tools.mjs } } }',
  unmapped_server: 'map servers in joust.yaml, under bindings: mcp_servers and remote_agents',
  missing_key: 'without a key, try a simulated model: --model sim/cautious',
  answer_incomplete: 'a model that runs out of tokens needs a higher max_output_tokens, or a shorter task',
  approval_unavailable: 'run it at a terminal to be asked, or decide beforehand: --approve all, --approve none',
  memory_required: `the agent needs a memory; ${FROM_A_PROGRAM}`,
  policy_unresolved: `the agent needs a governance policy; ${FROM_A_PROGRAM}`,
  unknown_transform: `the agent needs a transform; ${FROM_A_PROGRAM}`,
  unsupported_policy: `the agent needs an execution policy of a vendor; ${FROM_A_PROGRAM}`,
}
