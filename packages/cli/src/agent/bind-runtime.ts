import { resolve } from 'node:path'
import { type Agent, planOf } from '@joust/agentformat'
import { loadBindings, type ModelBinding, type ModelPrice, type RuntimeOptions } from '@joust/runtime'
import { type Diagnostic, defined, err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import { readText } from '../input/read.ts'
import type { BindingOptions } from '../options/agent.ts'
import { optionName } from '../options/option.ts'
import { tellCode } from '../project/code.ts'
import { type Project, tellFaults } from '../project/read.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { giveUp, type Io, WITHOUT_CODE, wrongUsage } from '../terminal/io.ts'
import { approverFor } from './approver.ts'

type BindOptions = Partial<Omit<BindingOptions, 'events' | 'config' | 'quiet'>> &
  Pick<BindingOptions, 'approve'> & {
    /** Time limit for answering an approval request at the terminal, in milliseconds. @default no limit */
    readonly approvalTimeout?: number | undefined
  }

const SCRIPTED = 'sim/scripted'

interface BindingUse {
  /** The agent; undefined for a plain model, which has no tools. */
  readonly agent: Agent | undefined
  /** True if modules must not be loaded, for example in a dry run. */
  readonly withoutCode?: boolean
  /** True to open the bound memory. False for an agent under attack, which gets a new memory for each run. */
  readonly withMemory?: boolean
}

type BoundOptions = RuntimeOptions & { readonly prices?: Readonly<Record<string, ModelPrice>> }

/** Returns runtime options, or an exit code after printing errors. Loads only modules of callable tools. */
export async function bindRuntime(
  options: BindOptions,
  project: Project | undefined,
  io: Io,
  use: BindingUse,
): Promise<Result<BoundOptions, number>> {
  const config = await readBindings(project, use, io)
  if (!config.ok) return config
  const script = options.script === undefined ? ok(undefined) : await readModelScript(options.script, io)
  if (!script.ok) return script
  const names = namesOf(config.value.models, script.value)
  if (options.model === SCRIPTED && !names.has(SCRIPTED))
    return err(wrongUsage([`--model ${SCRIPTED} needs --script FILE`], io))
  const approver = await approverFor(options.approve, io, options.approvalTimeout)
  if (!approver.ok) return err(wrongUsage([approver.error], io))
  const settings = settingsOf(options, config.value)
  if (!settings.ok) return err(wrongUsage([settings.error], io))
  return ok({
    ...config.value,
    ...settings.value,
    models: modelsFor(options.model, names),
    env: io.env,
    ...defined({ approve: approver.value }),
  })
}

/** Defaults for interactive use, lower than those of the runtime API. */
const interactive = { modelMs: 120_000, batchConcurrency: 4 }

function settingsOf(options: BindOptions, bound: Partial<RuntimeOptions>): Result<Partial<RuntimeOptions>, string> {
  const { modelTimeout: modelMs, toolTimeout: toolMs, connectTimeout: connectMs, limit = {}, retries, script } = options
  const limits = Object.entries(limit).map(([name, text]) => [name, text.trim() === '' ? Number.NaN : Number(text)])
  const wrong = limits.find(([, value]) => !Number.isFinite(value))
  if (wrong !== undefined) return err(`--limit ${wrong[0]} expects a number, not "${limit[String(wrong[0])]}"`)
  const none = Object.entries({ modelTimeout: modelMs, toolTimeout: toolMs, connectTimeout: connectMs }).find(
    ([, value]) => value === 0,
  )
  if (none !== undefined) return err(`${optionName(none[0])} expects a duration greater than 0`)
  const { modelRetries, timeouts, batchConcurrency } = bound
  // Concurrent items would use the scripted answers in any order.
  const width = script === undefined ? interactive.batchConcurrency : 1
  return ok({
    timeouts: { modelMs: interactive.modelMs, ...timeouts, ...defined({ modelMs, toolMs, connectMs }) },
    batchConcurrency: options.batchWidth ?? batchConcurrency ?? width,
    ...defined({ modelRetries: retries ?? modelRetries }),
    limits: { ...bound.limits, ...Object.fromEntries(limits) },
  })
}

function namesOf(configured: RuntimeOptions['models'], script: ModelBinding | undefined): Map<string, ModelBinding> {
  // Bindings contain names, never a function.
  const names = new Map(Object.entries(typeof configured === 'function' ? {} : (configured ?? {})))
  return script === undefined ? names : names.set(SCRIPTED, script)
}

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

function toolsOf({ document, agents }: Agent): string[] {
  const own = document.action_space?.local_tools ?? []
  return [...own.map(({ alias }) => alias), ...[...agents.values()].flatMap(toolsOf)]
}

function functionsOf({ document, agents }: Agent): string[] {
  const { execution_policy } = document
  const from = planOf(execution_policy)?.output?.from
  const own = [execution_policy.id, ...(from?.kind === 'custom_transform' ? [from.name] : [])]
  return [...own, ...[...agents.values()].flatMap(functionsOf)]
}

async function readBindings(
  project: Project | undefined,
  { agent, withoutCode = false, withMemory = false }: BindingUse,
  io: Io,
): Promise<Result<Partial<BoundOptions>, number>> {
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
  const functions = agent === undefined ? [] : functionsOf(agent)
  const bound = await loadBindings(project.path, {
    ...{ environment: io.env, loadsCode, tools, functions, ...within },
    ...(withMemory ? { openDatabase } : { memory: false }),
  })
  const starts = bound.ok && Object.values(bound.value.mcpServers ?? {}).some((server) => 'command' in server)
  if (refused || (isRefused && starts)) return err(wrongUsage([WITHOUT_CODE], io))
  if (bound.ok) return bound
  const diagnostics = bound.error.map(({ file: _, ...diagnostic }) => diagnostic)
  return err(tellFaults({ ...project, text: project.source.text }, diagnostics, io))
}

async function openDatabase(url: string, turns: number | undefined) {
  const { openDatabaseMemory } = await import('@joust/fleet')
  return openDatabaseMemory(url, turns)
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
