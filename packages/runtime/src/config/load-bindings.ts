/** Loads `bindings` from `joust.yaml`: the models, tools and servers behind the aliases in agent files. */
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { readBounded } from '@joust/io'
import {
  defaultLimits,
  defined,
  err,
  messageOf,
  ok,
  own,
  type Result,
  readSource,
  toDoubles,
  type Variables,
} from '@joust/source'
import { createInMemory } from '../memory/memory.ts'
import { createMemoryFile } from '../memory/memory-file.ts'
import type { LocalTool } from '../model/bindings.ts'
import type { GovernanceProvider } from '../model/governance.ts'
import type { MemoryProvider } from '../model/memory.ts'
import type { RuntimeOptions, Transform, VendorPolicy } from '../model/options.ts'
import { type ConfigDiagnostic, Findings } from './findings.ts'
import { loadFunctions, loadTools } from './load-tools.ts'
import { loadModels } from './models.ts'
import { readBindings, type ToolSource } from './read-bindings.ts'
import type { GovernanceSource, MemorySource, ModelPrice, Settings } from './read-host.ts'
import { folderRegistry, httpRegistry } from './registry.ts'

/** Options for {@link loadBindings}. */
export interface BindingOptions {
  /** Environment variables available to bindings. @default `process.env` */
  readonly environment?: Variables
  /**
   * Returns true if the module at an absolute path may be loaded; otherwise its tools are omitted.
   * @default () => true
   */
  readonly loadsCode?: (module: string) => boolean
  /** Aliases of the tools to load; modules that define none of them are not loaded. @default all tools */
  readonly tools?: readonly string[]
  /** Names of the transforms and policies to load; modules that define none of them are not loaded. @default all */
  readonly functions?: readonly string[]
  /** The folder that must contain scripts, modules, memory and policies. @default no restriction */
  readonly within?: string
  /** False to ignore the configured memory. @default true */
  readonly memory?: boolean
  /** Opens a memory in PostgreSQL. @default a PostgreSQL memory is an error */
  readonly openDatabase?: (url: string, turns: number | undefined) => Promise<MemoryProvider>
}

type LoadedBindings = Pick<
  RuntimeOptions,
  'models' | 'mcpServers' | 'remoteAgents' | 'transforms' | 'policies' | 'memory' | 'governance' | keyof Settings
> & {
  readonly tools: Readonly<Record<string, LocalTool>>
  /** Prices by the model name that run events report. */
  readonly prices: Readonly<Record<string, ModelPrice>>
}

/**
 * Loads the bindings of a project file, or returns all diagnostics. Relative paths start at the folder of the file.
 *
 * @example
 * const bindings = unwrap(await loadBindings('joust.yaml'))
 */
export async function loadBindings(
  path: string,
  options: BindingOptions = {},
): Promise<Result<LoadedBindings, ConfigDiagnostic[]>> {
  const { environment = process.env, loadsCode = () => true, tools: callable, functions: named, within } = options
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
  const { mcpServers, remoteAgents, prices, settings } = read
  const models = await loadModels(read.models, findings)
  const isNeeded = ({ alias = '' }: ToolSource) => named === undefined || named.includes(alias)
  const needed = {
    tools: usedSources(read.tools, callable),
    transforms: read.transforms.filter(isNeeded),
    policies: read.policies.filter(isNeeded),
  }
  const files = new Set(Object.values(needed).flatMap((sources) => sources.map(({ module }) => module)))
  const allowed = new Map([...files].map((file) => [file, loadsCode(file)]))
  const isAllowed = ({ module }: ToolSource) => allowed.get(module) === true
  const tools = await loadTools(needed.tools.filter(isAllowed), findings)
  const transforms = await loadFunctions<Transform>(needed.transforms.filter(isAllowed), findings)
  const policies = await loadFunctions<VendorPolicy>(needed.policies.filter(isAllowed), findings)
  if (findings.all.length > 0) return err(findings.all)
  const memory = await openMemory(read.memory, findings, options)
  if (findings.all.length > 0) return err(findings.all)
  const host = defined({ memory, governance: read.governance && openRegistry(read.governance) })
  return ok({ models, tools, prices, mcpServers, remoteAgents, transforms, policies, ...host, ...settings })
}

function openRegistry(source: GovernanceSource): GovernanceProvider {
  return 'folder' in source ? folderRegistry(source) : httpRegistry(source)
}

async function openMemory(
  source: MemorySource | undefined,
  findings: Findings,
  { openDatabase, memory = true }: BindingOptions,
): Promise<MemoryProvider | undefined> {
  if (source === undefined || !memory) return undefined
  if (source.kind === 'process') return createInMemory()
  if (source.kind === 'file') return createMemoryFile(source.path, source)
  try {
    if (openDatabase === undefined) throw new Error('memory in PostgreSQL is not available here')
    return await openDatabase(source.url, source.turns)
  } catch (thrown) {
    const hidden = source.secrets.reduce((text, secret) => text.replaceAll(secret, '[hidden]'), messageOf(thrown))
    findings.report('config_invalid', ['memory', 'postgresql'], hidden)
    return undefined
  }
}

/** Selects the sources of the needed tools. If a tool has no source of its own, whole modules are selected too. */
function usedSources(sources: readonly ToolSource[], callable: readonly string[] | undefined): readonly ToolSource[] {
  if (callable === undefined) return sources
  const bound = new Set(sources.map(({ alias }) => alias))
  const isOpen = callable.some((alias) => !bound.has(alias))
  return sources.filter(({ alias }) => (alias === undefined ? isOpen : callable.includes(alias)))
}

/** True for a path below a folder. Does not resolve symbolic links. */
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
