/** Loads `bindings` of `joust.yaml`, which map the aliases of agent files on this machine. */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { readBounded } from '@joust/io'
import {
  defaultLimits,
  err,
  messageOf,
  ok,
  own,
  type Result,
  readSource,
  toDoubles,
  type Variables,
} from '@joust/source'
import type { LocalTool } from '../model/bindings.ts'
import type { RuntimeOptions } from '../model/options.ts'
import { type ConfigDiagnostic, Findings } from './findings.ts'
import { loadTools } from './load-tools.ts'
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
