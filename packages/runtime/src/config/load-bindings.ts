/** `bindings` of `joust.yaml`: what the aliases of agent files are on this machine. */
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
import type { RuntimeOptions } from '../model/options.ts'
import { type ConfigDiagnostic, Findings } from './findings.ts'
import { loadTools } from './load-tools.ts'
import { loadModels } from './models.ts'
import { readBindings, type ToolSource } from './read-bindings.ts'

/** How bindings are loaded. */
export interface BindingOptions {
  readonly environment?: Variables
  /** Asked before a module is loaded, with its absolute path; after a no, its tools are left out. Default: yes. */
  readonly loadsCode?: (module: string) => boolean
  /** The aliases of tools that can be called; what only other tools need is not loaded. By default, every tool can be. */
  readonly tools?: readonly string[]
  /** The folder that scripts and modules have to be in; by default, they may be anywhere. */
  readonly within?: string
}

/** Reads the bindings of a project file, or says everything that is wrong with them. Paths are relative to the file. */
export async function loadBindings(
  path: string,
  { environment = process.env, loadsCode = () => true, tools: callable, within }: BindingOptions = {},
): Promise<Result<Partial<RuntimeOptions>, ConfigDiagnostic[]>> {
  const text = readText(path)
  if (!text.ok) return err([{ severity: 'error', code: 'config_unreadable', message: text.error, file: path }])
  const source = readSource(text.value)
  if (!source.ok) return err(source.error.map((found) => ({ ...found, code: 'config_syntax', file: path })))

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

/** The sources of tools that can be called. One for a whole module may have any tool that has no source of its own. */
function usedSources(sources: readonly ToolSource[], callable: readonly string[] | undefined): readonly ToolSource[] {
  if (callable === undefined) return sources
  const bound = new Set(sources.map(({ alias }) => alias))
  const isOpen = callable.some((alias) => !bound.has(alias))
  return sources.filter(({ alias }) => (alias === undefined ? isOpen : callable.includes(alias)))
}

/** True for a path below a folder, links aside. */
function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function readText(path: string): Result<string, string> {
  try {
    return ok(new TextDecoder().decode(readBounded(path, defaultLimits.yamlBytes)))
  } catch (thrown) {
    return err(`the project file cannot be read: ${messageOf(thrown)}`)
  }
}
