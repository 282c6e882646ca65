/** Loads `bindings` of `joust.yaml`, which map the aliases of agent files on this machine. */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { compileSchema } from '@joust/agentformat'
import { readBounded } from '@joust/io'
import {
  defaultLimits,
  err,
  isRecord,
  messageOf,
  messageWithHint,
  ok,
  own,
  type Result,
  readSource,
  setOwn,
  suggest,
  suggestion,
  toDoubles,
  type Value,
  type ValueRecord,
  type Variables,
} from '@joust/source'
import type { LocalTool } from '../model/bindings.ts'
import { toValue } from '../model/json-value.ts'
import type { RuntimeOptions } from '../model/options.ts'
import { type ConfigDiagnostic, Findings } from './findings.ts'
import { loadModels } from './models.ts'
import { readBindings, type ToolSource } from './read-bindings.ts'

/** Options for loading bindings. */
export interface BindingOptions {
  readonly environment?: Variables
  /** Decides by absolute path if a module may be loaded; tools of other modules are omitted. @default () => true */
  readonly loadsCode?: (module: string) => boolean
  /** Aliases of the tools that are needed; modules of other tools are not loaded. @default all tools */
  readonly tools?: readonly string[]
  /** The folder that scripts and modules must be in. @default no restriction */
  readonly within?: string
}

/** Bindings of a file. */
type LoadedBindings = Pick<RuntimeOptions, 'models' | 'mcpServers' | 'remoteAgents'> & {
  readonly tools: Readonly<Record<string, LocalTool>>
}

/** Loads the bindings of a project file, or returns all diagnostics. Paths are relative to the file. */
export async function loadBindings(
  path: string,
  { environment = process.env, loadsCode = () => true, tools: callable, within }: BindingOptions = {},
): Promise<Result<LoadedBindings, ConfigDiagnostic[]>> {
  const text = readText(path)
  if (!text.ok) return err([{ severity: 'error', code: 'config_unreadable', message: text.error, file: path }])
  const source = readSource(text.value)
  if (!source.ok) return err(source.error.map((diagnostic) => ({ ...diagnostic, code: 'config_syntax', file: path })))

  const findings = new Findings(source.value, path, ['bindings'])
  const home = dirname(path)
  const whole = source.value.value
  const read = readBindings(toDoubles(own(whole, 'bindings') ?? {}), {
    findings,
    environment,
    resolve: (path) => resolve(home, path),
    isOutside: (path) => within !== undefined && !isWithin(path, within),
  })
  const { mcpServers, remoteAgents } = read
  const models = await loadModels(read.models, findings)
  const used = usedSources(read.tools, callable)
  const allowed = new Map([...new Set(used.map(({ module }) => module))].map((file) => [file, loadsCode(file)]))
  const tools = await loadTools(
    used.filter(({ module }) => allowed.get(module) === true),
    findings,
  )
  return findings.all.length > 0 ? err(findings.all) : ok({ models, tools, mcpServers, remoteAgents })
}

/** Filters the sources by needed tools. A whole module is needed for any tool without its own source. */
function usedSources(sources: readonly ToolSource[], callable: readonly string[] | undefined): readonly ToolSource[] {
  if (callable === undefined) return sources
  const bound = new Set(sources.map(({ alias }) => alias))
  const isOpen = callable.some((alias) => !bound.has(alias))
  return sources.filter(({ alias }) => (alias === undefined ? isOpen : callable.includes(alias)))
}

/** True for a path below a folder; symbolic links are not resolved. */
function isWithin(path: string, folder: string): boolean {
  const route = relative(folder, path)
  return route !== '' && route !== '..' && !route.startsWith(`..${sep}`) && !isAbsolute(route)
}

function readText(path: string): Result<string, string> {
  try {
    return ok(new TextDecoder().decode(readBounded(path, defaultLimits.yamlBytes)))
  } catch (thrown) {
    return err(`cannot read the project file: ${messageOf(thrown)}`)
  }
}

/** Loads the modules and collects their tools; an entry for a single tool overrides one for the whole module. */
async function loadTools(
  sources: readonly ToolSource[],
  findings: Findings,
): Promise<Readonly<Record<string, LocalTool>>> {
  const tools = {}
  for (const source of sources) {
    const exported = await importModule(source, findings)
    if (exported === undefined) continue
    const { alias, name } = source
    if (alias === undefined || name === undefined) {
      for (const [key, value] of exported) if (isTool(value)) setOwn(tools, key, toTool(value, key, source, findings))
    } else if (isTool(exported.get(name))) {
      setOwn(tools, alias, toTool(exported.get(name), name, source, findings))
    } else {
      const message = `the module has no exported function or tool ${JSON.stringify(name)}.`
      findings.report(
        'module_failed',
        source.path,
        message,
        'key',
        suggestion('value', suggest(name, exported.keys()), name),
      )
    }
  }
  return tools
}

async function importModule(
  { module, path }: ToolSource,
  findings: Findings,
): Promise<Map<string, unknown> | undefined> {
  try {
    const exported: unknown = await import(pathToFileURL(module).href)
    return new Map(Object.entries(exported ?? {}).filter(([name]) => name !== 'default'))
  } catch (thrown) {
    findings.report('module_failed', path, `cannot load the module: ${withoutImporter(messageOf(thrown))}`)
    return undefined
  }
}

/** Removes the importing file, which Node adds to the message, if it is this one. */
function withoutImporter(message: string): string {
  return message.replace(` imported from ${fileURLToPath(import.meta.url)}`, '')
}

function isTool(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && 'call' in value && typeof value.call === 'function'
}

function toTool(value: unknown, name: string, source: ToolSource, findings: Findings): LocalTool {
  // Checked by `isTool`.
  const call = (typeof value === 'function' ? value : (value as LocalTool).call.bind(value)) as LocalTool['call']
  if (typeof value === 'function') return { call }
  const { description, inputSchema, repeatable } = value as { readonly [key: string]: unknown }
  const report = (message: string) =>
    findings.report('module_failed', source.path, `tool ${JSON.stringify(name)}: ${message}`)
  if (description !== undefined && typeof description !== 'string') report('description must be a string')
  if (repeatable !== undefined && typeof repeatable !== 'boolean') report('repeatable must be a boolean')
  const schema = inputSchema === undefined ? undefined : toSchema(inputSchema)
  if (typeof schema === 'string') report(`inputSchema is not a valid JSON Schema: ${schema}`)
  return {
    call,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isRecord(schema) ? { inputSchema: schema } : {}),
    ...(repeatable === true ? { repeatable } : {}),
  }
}

/** Returns the schema or an error message. */
function toSchema(input: unknown): ValueRecord | string {
  const value = toValue(input)
  const schema: Value | undefined = value.ok ? value.value : undefined
  if (!isRecord(schema)) return 'expected an object'
  const compiled = compileSchema(schema)
  return compiled.ok ? schema : messageWithHint(compiled.error[0] ?? { message: 'invalid schema' })
}
