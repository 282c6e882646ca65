/** Gathers the session for `joust aim` from session files, agent files, configurations, tool lists and targets. */
import { basename, relative, resolve } from 'node:path'
import {
  configSecrets,
  createSecretHider,
  listServers,
  readSession,
  readToolsFile,
  rewriteConfig,
  type SecretHider,
  type ServerEntry,
  type Session,
  type SessionServer,
} from '@joust/authoring'
import {
  type Diagnostic,
  err,
  isList,
  isRecord,
  ok,
  own,
  ownText,
  type Result,
  readSource,
  type Value,
} from '@joust/source'
import { loadAgentFile } from '../agent/load-agent-file.ts'
import { inputFile } from '../input/discover.ts'
import { placesOf, readServers } from '../input/mcp-servers.ts'
import { readText } from '../input/read.ts'
import { type AimOptions, MCP_CONFIG } from '../options/authoring.ts'
import { unknownWord } from '../options/unknown-word.ts'
import type { Project } from '../project/read.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { findConfig, isOwnFile } from './find-config.ts'
import { refusalToStart } from './permission.ts'

const NO_INPUT = [
  `missing input: no ${MCP_CONFIG} or other MCP server configuration in this folder; specify one of these:`,
  '  joust aim session.yaml            a session file, or an agent file',
  '  joust aim --mcp-config FILE       an MCP server configuration',
  '  joust aim --tools tools.json      a tool list',
  '  joust aim --on NAME               a target in joust.yaml',
]

/** Servers with known tools (`servers`), and servers whose tools must be listed (`entries`). */
export interface AimInputs {
  readonly servers: SessionServer[]
  readonly entries: ServerEntry[]
  readonly notes: string[]
  task?: string
  /** The path of a configuration that was found automatically. */
  unnamed?: string
}

/** Gathers the servers from all inputs; returns an exit code after printing errors. */
export async function gatherSession(
  paths: readonly string[],
  options: AimOptions,
  project: Project | undefined,
  signal: AbortSignal,
  io: Io,
): Promise<Result<Session, number>> {
  const isEmpty = [paths, options.mcpConfig, options.tools, options.on].every(({ length }) => length === 0)
  const inputs = isEmpty ? await readNearby(io) : await readInputs(paths, options, project, io)
  if (!inputs.ok) return inputs
  const { unnamed, entries } = inputs.value
  const refusal = unnamed === undefined ? undefined : await refusalToStart(unnamed, entries, options.yes, signal, io)
  return refusal === undefined ? listInputs(inputs.value, options, signal, io) : err(refusal)
}

async function readNearby(io: Io): Promise<Result<AimInputs, number>> {
  const inputs: AimInputs = { servers: [], entries: [], notes: [] }
  const code = await addNearby(io.cwd, inputs, io)
  if (inputs.unnamed === undefined && code === undefined) return err(wrongUsage(NO_INPUT, io))
  return code === undefined ? ok(inputs) : err(code)
}

async function addNearby(folder: string, inputs: AimInputs, io: Io): Promise<number | undefined> {
  const path = findConfig(folder, isOwnFile)
  if (path === undefined) return undefined
  inputs.unnamed = relative(io.cwd, path)
  const first = inputs.entries.length
  const code = await addConfig(inputs.unnamed, inputs, io)
  const added = inputs.entries.splice(first).map((entry) => ({ ...entry, cwd: resolve(folder, entry.cwd ?? '') }))
  inputs.entries.push(...added)
  return code
}

/** Reads all inputs without starting a server; returns an exit code after printing errors. */
export async function readInputs(
  paths: readonly string[],
  options: Pick<AimOptions, 'mcpConfig' | 'tools' | 'on'>,
  project: Project | undefined,
  io: Io,
): Promise<Result<AimInputs, number>> {
  const inputs: AimInputs = { servers: [], entries: [], notes: [] }
  const work = [
    ...paths.map((path) => () => addFile(path, inputs, project, io)),
    ...options.mcpConfig.map((path) => () => addConfig(path, inputs, io)),
    ...options.tools.map((path) => () => addTools(path, inputs, io)),
    ...options.on.map((name) => () => addTarget(name, inputs, project, io)),
  ]
  for (const add of work) {
    const code = await add()
    if (code !== undefined) return err(code)
  }
  return ok(inputs)
}

export async function listInputs(
  inputs: AimInputs,
  options: Pick<AimOptions, 'call' | 'quiet'>,
  signal: AbortSignal,
  io: Io,
): Promise<Result<Session, number>> {
  const hider = createSecretHider(configSecrets(inputs.entries, io.env))
  const failed = await addListed(inputs, options, hider, signal, io)
  for (const note of inputs.notes) tell(io, hider.text(note))
  if (inputs.servers.length === 0) {
    const reason = failed > 0 ? 'could not list the tools of any server' : 'the input contains no servers'
    return err(giveUp(reason, io, failed > 0 ? exitCodes.failure : exitCodes.usage))
  }
  const servers = withUniqueNames(inputs.servers)
  return ok(hider.session({ joust_session: 1, ...(inputs.task && { task: inputs.task }), servers }))
}

async function textOf(path: string, io: Io): Promise<Result<string, number>> {
  const text = await readText(path === '-' ? path : resolve(io.cwd, path), io)
  return text.ok ? text : err(wrongUsage([`${path}: ${text.error.message}`], io))
}

function badFile(path: string, text: string, diagnostics: readonly Diagnostic[], what: string, io: Io): number {
  printFindings([{ ...inputFile(resolve(io.cwd, path), io.cwd, true), format: 'unknown', text, diagnostics }], io)
  return giveUp(`${path}: ${what} has errors`, io, exitCodes.usage)
}

async function addFile(
  path: string,
  inputs: AimInputs,
  project: Project | undefined,
  io: Io,
): Promise<number | undefined> {
  const text = await textOf(path, io)
  if (!text.ok) return text.error
  if (!/^\s*["']?joust_session["']?\s*:|\{\s*"joust_session"/m.test(text.value))
    return addAgent(path, text.value, inputs, project, io)
  const session = readSession(text.value)
  if (!session.ok) return badFile(path, text.value, session.error, 'the session', io)
  inputs.servers.push(...session.value.servers)
  if (session.value.task !== undefined) inputs.task ??= session.value.task
  return undefined
}

/** Adds the MCP servers that an agent file uses and the project file binds. */
async function addAgent(
  path: string,
  text: string,
  inputs: AimInputs,
  project: Project | undefined,
  io: Io,
): Promise<number | undefined> {
  const entry = { ...inputFile(resolve(io.cwd, path), io.cwd, true), text }
  const { agent, reports } = await loadAgentFile(entry, io)
  if (agent === undefined) {
    printFindings(reports, io)
    return giveUp(`${path}: expected a session file or an agent file`, io, exitCodes.usage)
  }
  const bound =
    project === undefined ? [] : serversOf(own(own(project.source.value, 'bindings') ?? null, 'mcp_servers'))
  const source = readSource(text)
  const space = own(source.ok ? source.value.value : null, 'action_space')
  const listed = own(space ?? null, 'mcp_servers')
  const entries = isList(listed) ? listed.filter(isRecord) : []
  if (entries.length === 0) inputs.notes.push(`${path}: the agent uses no MCP servers`)
  for (const server of entries) {
    const names = [ownText(server, 'server_ref'), ownText(server, 'alias')]
    const match = bound.find(({ name }) => names.includes(name))
    if (match === undefined)
      inputs.notes.push(`${path}: server ${names.at(-1)} is not bound; add it to bindings.mcp_servers in joust.yaml`)
    else inputs.entries.push(match)
  }
  return undefined
}

function serversOf(mapping: Value | undefined): readonly ServerEntry[] {
  if (!isRecord(mapping)) return []
  const read = rewriteConfig('bindings.json', JSON.stringify({ mcpServers: mapping }), () => undefined)
  return read.ok ? read.value.servers : []
}

async function addConfig(path: string, inputs: AimInputs, io: Io): Promise<number | undefined> {
  const text = await textOf(path, io)
  if (!text.ok) return text.error
  const read = readServers(path, text.value)
  if (!read.ok) return wrongUsage([`${path}: ${read.error}`], io)
  inputs.entries.push(...read.value.entries)
  inputs.notes.push(...read.value.notes)
  return undefined
}

async function addTools(path: string, inputs: AimInputs, io: Io): Promise<number | undefined> {
  const text = await textOf(path, io)
  if (!text.ok) return text.error
  const read = readToolsFile(text.value, basename(path).replace(/\.\w+$/, '') || 'tools')
  if (!read.ok) return badFile(path, text.value, read.error, 'the tool list', io)
  inputs.servers.push(...read.value.servers)
  inputs.notes.push(...read.value.notes.map((note) => `${path}: ${note}`))
  return undefined
}

/** Adds the servers of a target, from its agent file, its MCP endpoint or a nearby configuration. */
async function addTarget(
  name: string,
  inputs: AimInputs,
  project: Project | undefined,
  io: Io,
): Promise<number | undefined> {
  if (project === undefined)
    return wrongUsage(['--on needs a project file with targets; create one with joust init'], io)
  const names = project.targets.map((target) => target.name)
  const target = project.targets.find((one) => one.name === name)
  if (target === undefined)
    return wrongUsage([unknownWord(`--on: unknown target "${name}"; available: ${names.join(', ')}`, name, names)], io)
  const [agent, mcp] = [own(target.value, 'agent'), own(target.value, 'mcp')]
  if (typeof agent === 'string') {
    const path = resolve(project.home, agent)
    const text = await textOf(path, io)
    return text.ok ? addAgent(path, text.value, inputs, project, io) : text.error
  }
  if (typeof mcp === 'string') {
    const place = /^https?:/.test(mcp) ? { url: mcp } : { command: mcp.split(/\s+/) }
    const headers = own(target.value, 'header')
    const texts = isRecord(headers)
      ? Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]))
      : {}
    inputs.entries.push({ name, ...place, env: {}, headers: texts })
    return undefined
  }
  if (typeof own(target.value, 'exec') === 'string') {
    const code = await addNearby(project.home, inputs, io)
    if (code !== undefined || inputs.unnamed !== undefined) return code
  }
  return wrongUsage(
    [`--on ${name}: this target does not list its tools; pass the agent's configuration with --mcp-config`],
    io,
  )
}

/** Lists the servers' tools; returns the number of servers that failed. */
async function addListed(
  { entries, servers, notes }: AimInputs,
  options: Pick<AimOptions, 'call' | 'quiet'>,
  hider: SecretHider,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { places: wanted, notes: faults } = placesOf(entries, io)
  notes.push(...faults)
  if (wanted.length > 0 && !options.quiet)
    tell(io, hider.text(`listing the tools of ${wanted.map(({ name }) => name).join(', ')}`))
  const listing = await listServers(wanted, { call: options.call, signal })
  servers.push(...listing.servers)
  notes.push(...listing.notes)
  const known = new Set(servers.flatMap(({ tools }) => tools.map(({ name }) => name)))
  for (const name of options.call) if (!known.has(name)) notes.push(`--call ${name}: no server lists this tool`)
  return entries.length - listing.servers.length
}

function withUniqueNames(servers: readonly SessionServer[]): SessionServer[] {
  const taken = new Set<string>()
  return servers.map((server) => {
    let name = server.name
    for (let number = 2; taken.has(name); number++) name = `${server.name}-${number}`
    taken.add(name)
    return name === server.name ? server : { ...server, name }
  })
}
