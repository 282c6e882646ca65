/** Reads `bindings`: the models, tools and servers behind the aliases in agent files. */
import { type Path, setOwn, type Value } from '@joust/source'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import { type ModelSource, readModel } from './models.ts'
import { type GovernanceSource, type MemorySource, type ModelPrice, readHost, type Settings } from './read-host.ts'
import { type ReadContext, readFilePath, readRemoteAgent, readServer } from './read-peers.ts'
import { bindingsShape, namesIn, toolShape } from './shape.ts'

export interface ToolSource {
  /** The tool alias; if absent, every export of the module is a tool. */
  readonly alias?: string
  /** The absolute path of the module. */
  readonly module: string
  readonly name?: string
  readonly path: Path
}

interface ReadBindings {
  readonly models: Readonly<Record<string, ModelSource>>
  readonly mcpServers: Readonly<Record<string, CommandBinding | UrlBinding>>
  readonly remoteAgents: Readonly<Record<string, UrlBinding>>
  readonly tools: readonly ToolSource[]
  readonly transforms: readonly ToolSource[]
  readonly policies: readonly ToolSource[]
  readonly memory: MemorySource | undefined
  readonly governance: GovernanceSource | undefined
  readonly settings: Settings
  readonly prices: Readonly<Record<string, ModelPrice>>
}

const ALIAS = /^[a-zA-Z_][a-zA-Z0-9_]*$/

export function readBindings(value: Value, context: ReadContext): ReadBindings {
  const { findings } = context
  const record = findings.mapping(value, []) ?? {}
  findings.fields(record, [], namesIn(bindingsShape))
  const section = <T>(name: string, read: (entry: Value, path: Path, key: string) => T | undefined) =>
    readSection(record[name], [name], read, context)
  return {
    models: section('models', (entry, path, reference) => readModel(entry, path, reference, context)),
    mcpServers: section('mcp_servers', (entry, path) => readServer(entry, path, context)),
    remoteAgents: section('remote_agents', (entry, path, alias) => {
      checkAlias(alias, path, context)
      return readRemoteAgent(entry, path, context)
    }),
    tools: [
      ...readModule(record.module, context),
      ...Object.values(
        section('tools', (entry, path, alias) => {
          checkAlias(alias, path, context)
          return readTool(entry, path, alias, context)
        }),
      ),
    ],
    transforms: Object.values(section('transforms', (entry, path, name) => readTool(entry, path, name, context))),
    policies: Object.values(
      section('policies', (entry, path, id) => {
        if (!id.startsWith('x-')) findings.report('config_invalid', path, 'expected an id that begins with x-', 'key')
        return readTool(entry, path, id, context)
      }),
    ),
    ...readHost(record, context),
  }
}

function readSection<T>(
  value: Value | undefined,
  path: Path,
  read: (entry: Value, path: Path, key: string) => T | undefined,
  { findings }: ReadContext,
): Readonly<Record<string, T>> {
  const entries = {}
  // YAML parses an empty section as null.
  const record = value === undefined || value === null ? {} : (findings.mapping(value, path) ?? {})
  for (const [key, entry] of Object.entries(record)) {
    const one = read(entry, [...path, key], key)
    if (one !== undefined) setOwn(entries, key, one)
  }
  return entries
}

function readModule(value: Value | undefined, context: ReadContext): ToolSource[] {
  const text = value === undefined ? undefined : context.findings.text(value, ['module'])
  const module = text === undefined ? undefined : readFilePath(text, ['module'], context)
  return module === undefined ? [] : [{ module, path: ['module'] }]
}

function readTool(entry: Value, path: Path, alias: string, context: ReadContext): ToolSource | undefined {
  const { findings } = context
  const record = findings.mapping(entry, path)
  if (record === undefined) return undefined
  findings.fields(record, path, namesIn(toolShape))
  if (record.module === undefined) findings.report('config_invalid', path, 'missing required field "module"', 'key')
  const text = record.module === undefined ? undefined : findings.text(record.module, [...path, 'module'])
  const module = text === undefined ? undefined : readFilePath(text, [...path, 'module'], context)
  const name = record.export === undefined ? alias : findings.text(record.export, [...path, 'export'])
  return module === undefined || name === undefined ? undefined : { alias, module, name, path }
}

function checkAlias(alias: string, path: Path, { findings }: ReadContext): void {
  if (ALIAS.test(alias)) return
  const expected = 'letters, digits and underscores, not starting with a digit'
  const message = `invalid alias ${JSON.stringify(alias)}, expected ${expected}`
  findings.report('config_invalid', path, message, 'key')
}
