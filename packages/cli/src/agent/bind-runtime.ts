/** Builds the options of a runtime from the command line and the project file. */
import { resolve } from 'node:path'
import type { Agent } from '@joust/agentformat'
import { loadBindings, type ModelBinding, type RuntimeOptions } from '@joust/runtime'
import { type Diagnostic, err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import { readText } from '../input/read.ts'
import type { BindingOptions } from '../options/agent.ts'
import { tellCode } from '../project/code.ts'
import { type Project, tellFaults } from '../project/read.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, WITHOUT_CODE, wrongUsage } from '../terminal/io.ts'
import { approverFor } from './approver.ts'

type BindOptions = Omit<BindingOptions, 'events' | 'config' | 'quiet'>

const SCRIPTED = 'sim/scripted'

/** The agent that a runtime is bound for, and whether its modules may be loaded. */
interface BindingUse {
  /** The agent to run; undefined for a plain model, which has no tools of its own. */
  readonly agent: Agent | undefined
  /** Set if no module may be loaded, as in a dry run. */
  readonly withoutCode?: boolean
}

/** The options of a runtime, or an exit code after printing the errors. Loads only modules that the agent can call. */
export async function bindRuntime(
  options: BindOptions,
  project: Project | undefined,
  io: Io,
  use: BindingUse,
): Promise<Result<RuntimeOptions, number>> {
  const config = await readBindings(project, use, io)
  if (!config.ok) return config
  const script = options.script === undefined ? ok(undefined) : await readModelScript(options.script, io)
  if (!script.ok) return script
  const names = namesOf(config.value.models, script.value)
  if (options.model === SCRIPTED && !names.has(SCRIPTED))
    return err(wrongUsage([`--model ${SCRIPTED} needs --script FILE`], io))
  const approve = approverFor(options.approve, io)
  return ok({
    ...config.value,
    models: modelsFor(options.model, names),
    env: io.env,
    ...(approve === undefined ? {} : { approve }),
  })
}

/** Model names from the bindings; `--script` takes precedence over a script there. */
function namesOf(configured: RuntimeOptions['models'], script: ModelBinding | undefined): Map<string, ModelBinding> {
  // Bindings contain names, never a function.
  const names = new Map(Object.entries(typeof configured === 'function' ? {} : (configured ?? {})))
  return script === undefined ? names : names.set(SCRIPTED, script)
}

/** `--model` replaces every model of the graph; it may be a name from the bindings. */
function modelsFor(
  wanted: string | undefined,
  names: ReadonlyMap<string, ModelBinding>,
): NonNullable<RuntimeOptions['models']> {
  const scripted = names.get(SCRIPTED) ?? SCRIPTED
  const withScript = (model: ModelBinding) => (model === SCRIPTED ? scripted : model)
  if (wanted === undefined) return Object.fromEntries([...names].map(([name, model]) => [name, withScript(model)]))
  const model = withScript(names.get(wanted) ?? wanted)
  return () => model
}

/** The local tools of the whole graph. */
function toolsOf({ document, agents }: Agent): string[] {
  const own = document.action_space?.local_tools ?? []
  return [...own.map(({ alias }) => alias), ...[...agents.values()].flatMap(toolsOf)]
}

async function readBindings(
  project: Project | undefined,
  { agent, withoutCode = false }: BindingUse,
  io: Io,
): Promise<Result<Partial<RuntimeOptions>, number>> {
  if (project === undefined) return ok({})
  const { confined } = io
  const isRefused = confined?.mayRunCode === false
  let refused = false
  const loadsCode = (module: string) => {
    refused ||= isRefused
    if (!withoutCode && !refused) tellCode(module, project, io)
    return !withoutCode && !refused
  }
  const within = confined && { within: confined.folder }
  const tools = agent === undefined ? [] : toolsOf(agent)
  const bound = await loadBindings(project.path, { environment: io.env, loadsCode, tools, ...within })
  const starts = bound.ok && Object.values(bound.value.mcpServers ?? {}).some((server) => 'command' in server)
  if (refused || (isRefused && starts)) return err(wrongUsage([WITHOUT_CODE], io))
  if (bound.ok) return bound
  const diagnostics = bound.error.map(({ file: _, ...diagnostic }) => diagnostic)
  return err(tellFaults({ ...project, text: project.source.text }, diagnostics, io))
}

async function readModelScript(file: string, io: Io): Promise<Result<ModelBinding, number>> {
  const path = resolve(io.cwd, file)
  const text = await readText(path, io)
  if (!text.ok) return err(wrongUsage([`${file}: ${text.error.message}`], io))
  const { readScript, scriptedModel } = await import('@joust/sim')
  const script = readScript(text.value)
  return script.ok
    ? ok(scriptedModel(script.value))
    : err(await printErrors(path, script.error, 'the script has errors', io))
}

async function printErrors(path: string, diagnostics: readonly Diagnostic[], summary: string, io: Io): Promise<number> {
  const text = await readText(path, io)
  const { name } = inputFile(path, io.cwd, true)
  const report = { name, path, format: 'unknown', diagnostics, ...(text.ok ? { text: text.value } : {}) } as const
  printFindings([report], io)
  return giveUp(`${name}: ${summary}`, io, exitCodes.failedRun)
}
