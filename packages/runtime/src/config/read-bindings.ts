/** All of `bindings`: what a host binds to the aliases of its agents. */
import { type Path, setOwn, type Value } from '@joust/source'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import { type ModelSource, readModel } from './models.ts'
import { readFilePath, readRemoteAgent, readServer, type Surroundings } from './read-peers.ts'
import { bindingsShape, namesIn, toolShape } from './shape.ts'

/** Where a tool comes from. */
export interface ToolSource {
  /** Absent: every export of the module. */
  readonly alias?: string
  /** The absolute path of the module. */
  readonly module: string
  readonly name?: string
  /** Where in the configuration it is given. */
  readonly path: Path
}

/** Bindings that were read; modules and scripts are not loaded yet. */
interface ReadBindings {
  readonly models: Readonly<Record<string, ModelSource>>
  readonly mcpServers: Readonly<Record<string, CommandBinding | UrlBinding>>
  readonly remoteAgents: Readonly<Record<string, UrlBinding>>
  readonly tools: readonly ToolSource[]
}

const ALIAS = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** Reads bindings; what is wrong goes to the findings. */
export function readBindings(value: Value, around: Surroundings): ReadBindings {
  const { findings } = around
  const record = findings.mapping(value, []) ?? {}
  findings.fields(record, [], namesIn(bindingsShape))
  const section = <T>(name: string, read: (entry: Value, path: Path, key: string) => T | undefined) =>
    readSection(record[name], [name], read, around)
  return {
    models: section('models', (entry, path, reference) => readModel(entry, path, reference, around)),
    mcpServers: section('mcp_servers', (entry, path) => readServer(entry, path, around)),
    remoteAgents: section('remote_agents', (entry, path, alias) => {
      checkAlias(alias, path, around)
      return readRemoteAgent(entry, path, around)
    }),
    tools: [
      ...readModule(record.module, around),
      ...Object.values(section('tools', (entry, path, alias) => readTool(entry, path, alias, around))),
    ],
  }
}

function readSection<T>(
  value: Value | undefined,
  path: Path,
  read: (entry: Value, path: Path, key: string) => T | undefined,
  { findings }: Surroundings,
): Readonly<Record<string, T>> {
  const entries = {}
  // A section with nothing under it is null in YAML.
  const record = value === undefined || value === null ? {} : (findings.mapping(value, path) ?? {})
  for (const [key, entry] of Object.entries(record)) {
    const one = read(entry, [...path, key], key)
    if (one !== undefined) setOwn(entries, key, one)
  }
  return entries
}

function readModule(value: Value | undefined, around: Surroundings): ToolSource[] {
  const text = value === undefined ? undefined : around.findings.text(value, ['module'])
  const module = text === undefined ? undefined : readFilePath(text, ['module'], around)
  return module === undefined ? [] : [{ module, path: ['module'] }]
}

function readTool(entry: Value, path: Path, alias: string, around: Surroundings): ToolSource | undefined {
  const { findings } = around
  checkAlias(alias, path, around)
  const record = findings.mapping(entry, path)
  if (record === undefined) return undefined
  findings.fields(record, path, namesIn(toolShape))
  if (record.module === undefined) findings.report('config_invalid', path, 'a tool needs a "module"', 'key')
  const text = record.module === undefined ? undefined : findings.text(record.module, [...path, 'module'])
  const module = text === undefined ? undefined : readFilePath(text, [...path, 'module'], around)
  const name = record.export === undefined ? alias : findings.text(record.export, [...path, 'export'])
  return module === undefined || name === undefined ? undefined : { alias, module, name, path }
}

function checkAlias(alias: string, path: Path, { findings }: Surroundings): void {
  if (ALIAS.test(alias)) return
  const message = `${JSON.stringify(alias)} is not an alias: letters, digits and underscores, and no digit first`
  findings.report('config_invalid', path, message, 'key')
}
