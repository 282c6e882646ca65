/** Reports run errors as findings with a position in the document. */
import { type Agent, locate } from '@joust/agentformat'
import type { RunCode, RunError } from '@joust/runtime'
import { type Diagnostic, defined, isList, isRecord, type Path, printable, type Value } from '@joust/source'
import type { FileReport } from '../input/file-report.ts'
import { printFindings } from '../render/text.ts'
import { type Io, tell } from '../terminal/io.ts'

interface Fault {
  readonly code: string
  readonly message: string
  readonly agent: readonly string[]
  /** The path of the error in the document; absent if the code implies the path. */
  readonly path?: Path
  /** A reason that is more specific than the code, such as `unreachable` for a mapped server that does not respond. */
  readonly reason?: string
}

/** Prints an error and its causes to stderr, then hints for fixing the error. */
export function tellFault(error: RunError, root: Agent, texts: ReadonlyMap<string, string>, io: Io): void {
  const faults = faultsOf(error)
  const reports = faults.map((fault) => report(fault, root, texts))
  printFindings(reports, io)
  for (const hint of new Set(faults.flatMap((fault) => hintFor(fault) ?? []))) tell(io, hint)
}

/** Returns an error and its causes, from the outermost to the innermost. A failed preparation has several causes. */
export function faultsOf(error: RunError | { readonly message: string } | undefined): Fault[] {
  if (error === undefined || !('code' in error)) return []
  const listed = isList(error.details) ? error.details.flatMap(faultIn) : []
  const own = listed.length > 0 ? listed : [withCause(error)]
  return [...own, ...faultsOf(error.cause)]
}

function withCause({ code, message, agent, cause, details }: RunError): Fault {
  const more = cause === undefined || 'code' in cause || message.includes(cause.message) ? '' : `: ${cause.message}`
  return { code, message: message + more, agent, ...reasonIn(details) }
}

function faultIn(value: Value): Fault[] {
  if (!isRecord(value)) return []
  const { code, message, agent, path } = value
  if (typeof code !== 'string' || typeof message !== 'string' || !isList(agent)) return []
  const place = isList(path) ? { path: path.map((part) => (typeof part === 'number' ? part : String(part))) } : {}
  return [{ code, message, agent: agent.map(String), ...place, ...reasonIn(value) }]
}

function reasonIn(details: Value | undefined): { readonly reason?: string } {
  return isRecord(details) && typeof details.reason === 'string' ? { reason: details.reason } : {}
}

function report(fault: Fault, root: Agent, texts: ReadonlyMap<string, string>): FileReport {
  const { source: name, finding } = locateFault(fault, root)
  const text = texts.get(name)
  return { name: printable(name), path: name, format: 'agent-format', diagnostics: [finding], ...defined({ text }) }
}

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

/** Returns a hint. Checks `reason` first, because unbound and unreachable servers and registries have the same code. */
function hintFor({ code, reason }: Fault): string | undefined {
  if (reason === 'unreachable') return UNREACHABLE
  return reason === 'refused' ? undefined : own(hints, code)
}

const UNREACHABLE =
  'check that the server or remote agent is running; its address or command is in joust.yaml, under bindings: mcp_servers or remote_agents'
const hints: { readonly [code in RunCode]?: string } = {
  unbound_tool: 'bind local tools in joust.yaml: bindings: { tools: { NAME: { module: ./tools.mjs } } }',
  unmapped_server: 'map servers in joust.yaml, under bindings: mcp_servers and remote_agents',
  missing_key: 'to run without a key, use a simulated model: --model sim/cautious',
  answer_incomplete: 'raise max_output_tokens or shorten the task if the model ran out of tokens',
  approval_unavailable: 'run the agent at a terminal to approve interactively, or use --approve all or --approve none',
  memory_required:
    'bind a memory in joust.yaml (bindings: { memory: { file: ./memory.jsonl } }) and pass its scope: --memory NAME',
  policy_unresolved:
    'bind a registry in joust.yaml: bindings: { governance: { folder: ./policies } }, with one file per policy_ref',
  unknown_transform:
    'bind the transform in joust.yaml: bindings: { transforms: { NAME: { module: ./transforms.mjs } } }',
  unsupported_policy:
    'bind vendor policies in joust.yaml: bindings: { policies: { x-NAME: { module: ./policies.mjs, export: NAME } } }',
}
