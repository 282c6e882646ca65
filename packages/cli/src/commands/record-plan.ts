/** Reads and checks the inputs of `joust record` before anything is opened. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type Peer, recoverConfig } from '@joust/authoring'
import { readBounded, strictText } from '@joust/io'
import { defined, err, messageOf, ok, type Result } from '@joust/source'
import type { OpenModelAccess, Preset } from '@joust/targets'
import { CONFIG_BYTES, findConfig } from '../aim/find-config.ts'
import type { RecordOptions } from '../options/authoring.ts'
import { isUrl } from '../options/values.ts'
import { type ChosenTarget, chooseTargets } from '../project/choose.ts'
import { secretsOfMachine } from '../project/known-secrets.ts'
import { readProject } from '../project/read.ts'
import { expandText } from '../target/expand-variables.ts'
import { type Io, tell } from '../terminal/io.ts'

export interface RecordPlan {
  readonly config?: { readonly path: string; readonly text: string }
  /** True if the command line contains the configuration file, so that the command can be given a copy. */
  readonly namesConfig: boolean
  readonly peers: readonly (Peer & { readonly url: URL })[]
  readonly tokens: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  /** Creates the agent's command line from placeholder values; absent if the user starts the agent. */
  readonly command?: (values: ReadonlyMap<string, string>) => readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The prompt, if the agent reads prompts from standard input. */
  readonly input?: string
  /** The prompt to record as the task. */
  readonly task?: string
  readonly openModel?: OpenModelAccess
}

interface AgentPlan extends Pick<RecordPlan, 'cwd' | 'env' | 'input' | 'task'> {
  readonly words?: readonly string[]
  readonly preset?: Preset
  readonly target?: Readonly<Partial<Record<string, string>>>
  readonly secrets: readonly string[]
}

/** Plans a recording; the error is a list of messages, or an exit code if messages were already printed. */
export async function planRecord(
  words: readonly string[],
  options: RecordOptions,
  io: Io,
): Promise<Result<RecordPlan, readonly string[] | number>> {
  const agent = options.on === undefined ? ok(plainAgent(words, options, io)) : await targetAgent(words, options, io)
  if (!agent.ok) return agent
  const { words: command, preset, ...rest } = agent.value
  const config = readConfig(options, command && rest.cwd, io)
  if (!config.ok) return err([config.error])
  const peers = peersOf(options, agent.value.target ?? {})
  if (!peers.ok) return err([peers.error])
  if (command === undefined && config.value === undefined && peers.value.length === 0) return err([NOTHING])
  const tokens: Record<string, string> = {}
  for (const [name, text] of Object.entries(options.token)) {
    const token = expandText('--token', text, io)
    if (!token.ok) return err([token.error])
    tokens[name] = token.value ?? ''
  }
  const openModel = command === undefined ? ok(undefined) : await planModel(command, preset, options, io)
  if (!openModel.ok) return err([openModel.error])
  const file = config.value
  const isConfig = (word: string) =>
    file !== undefined && (word === '{mcp_config}' || resolve(rest.cwd, word) === file.path)
  return ok({
    ...{ cwd: rest.cwd, env: rest.env, peers: peers.value, tokens },
    secrets: [...(await secretsOfMachine(undefined, io)), ...rest.secrets],
    namesConfig: command?.some((word) => word.includes('{mcp_config}') || isConfig(word)) === true,
    ...(file && { config: file }),
    ...(command && {
      command: (values: ReadonlyMap<string, string>) =>
        command.map((word) => (isConfig(word) ? (values.get('mcp_config') ?? word) : filled(word, values))),
    }),
    ...defined({ input: rest.input, task: rest.task }),
    ...(openModel.value && { openModel: openModel.value }),
  })
}

const NOTHING =
  'nothing to record: pass the agent command after --, a target with --on, its servers with --mcp-config or its URL with --target'

/** Replaces known placeholders only, because arguments may contain other braces. */
function filled(word: string, values: ReadonlyMap<string, string>): string {
  let text = word
  for (const [name, value] of values) text = text.replaceAll(`{${name}}`, value)
  return text
}

function plainAgent(words: readonly string[], { target }: RecordOptions, io: Io): AgentPlan {
  return { cwd: io.cwd, env: {}, secrets: [], ...(words.length > 0 && { words }), ...(target && { target }) }
}

async function targetAgent(
  words: readonly string[],
  { on = '', config, quiet }: RecordOptions,
  io: Io,
): Promise<Result<AgentPlan, readonly string[] | number>> {
  const project = await readProject(config, quiet, io)
  if (!project.ok) return project
  const chosen = await chooseTargets(project.value, { on: [on] }, io)
  if (!chosen.ok) return chosen
  const [target] = chosen.value
  const { kind, options, secrets } = target
  if (options.target !== undefined) return ok({ ...placeOf(target), target: options.target, secrets })
  if (options.exec === undefined)
    return err([`--on ${on}: ${kind} targets cannot be recorded; expected exec or target`])
  return commandAgent(words.join(' '), options.exec, target)
}

function placeOf({ home, env = {} }: ChosenTarget): Pick<AgentPlan, 'cwd' | 'env'> {
  return { cwd: home, env }
}

async function commandAgent(
  prompt: string,
  exec: string,
  target: ChosenTarget,
): Promise<Result<AgentPlan, readonly string[]>> {
  const { findPreset, splitCommand } = await import('@joust/targets')
  const preset = target.project?.presets.get(exec.trim()) ?? findPreset(exec.trim())
  const split = preset === undefined ? splitCommand(exec) : ok(preset.command)
  if (!split.ok) return err([split.error])
  const { cwd, env } = placeOf(target)
  const model = target.options.execModel ?? preset?.model
  const values = new Map([
    ...[['prompt', prompt] as const, ['work', cwd] as const, ['home', homedir()] as const],
    ...[['session', crypto.randomUUID()] as const, ...(model === undefined ? [] : [['model', model] as const])],
  ])
  const takesPrompt = split.value.some((word) => word.includes('{prompt}'))
  if (prompt === '') return err([`--on ${target.name}: missing prompt; write it after --`])
  return ok({
    ...{ cwd, env, secrets: target.secrets, words: split.value.map((word) => filled(word, values)), task: prompt },
    ...(preset && { preset }),
    ...(!takesPrompt && { input: `${prompt}\n` }),
  })
}

/**
 * Reads the MCP configuration, by default the one in the command's working folder. If a recorder was killed before it
 * restored the file, the file is restored first.
 */
function readConfig(
  { mcpConfig, quiet }: RecordOptions,
  folder: string | undefined,
  io: Io,
): Result<RecordPlan['config'], string> {
  const path = mcpConfig === undefined ? folder && findConfig(folder) : resolve(io.cwd, mcpConfig)
  if (path === undefined) {
    if (!quiet && folder !== undefined) tell(io, `no MCP configuration in ${folder}: specify it with --mcp-config`)
    return ok(undefined)
  }
  try {
    const recovered = recoverConfig(path)
    if (!recovered.ok) return recovered
    if (recovered.value) tell(io, `restored ${path}: an earlier recording was killed`)
    if (!existsSync(path)) return err(`${mcpConfig ?? path}: no such file`)
    return ok({ path, text: strictText(readBounded(path, CONFIG_BYTES)).text })
  } catch (thrown) {
    return err(`${mcpConfig ?? path}: ${messageOf(thrown)}`)
  }
}

const clientModes = { ag_ui: 'ag_ui_client', a2a: 'a2a_client', mcp: 'mcp_client' } as const

function peersOf(
  { a2a }: RecordOptions,
  target: Readonly<Partial<Record<string, string>>>,
): Result<RecordPlan['peers'], string> {
  const peers: (Peer & { readonly url: URL })[] = []
  for (const [name, url] of Object.entries(a2a)) {
    if (!isUrl(url) || !URL.canParse(url)) return err(`--a2a ${name} expects a URL, not "${url}"`)
    peers.push({ name, mode: 'a2a_server', url: new URL(url) })
  }
  for (const [protocol, mode] of Object.entries(clientModes)) {
    const place = target[protocol]
    if (place === undefined) continue
    if (!isUrl(place)) return err(`${protocol}: expected a URL, not the command "${place}"`)
    peers.push({ name: protocol, mode, url: new URL(place) })
  }
  return ok(peers)
}

/** Plans the model proxy for the environment variables that the agent is known to read. */
async function planModel(
  words: readonly string[],
  preset: Preset | undefined,
  { modelEnv, modelUpstream, noModelProxy }: RecordOptions,
  io: Io,
): Promise<Result<OpenModelAccess | undefined, string>> {
  if (noModelProxy) return ok(undefined)
  const { createModelAccess, modelRoutes, modelVariables } = await import('@joust/targets')
  const isSet = (name: string) => (io.env[name] ?? '') !== ''
  const known = modelVariables.filter(({ name, keys }) => isSet(name) || keys.some(isSet)).map(({ name }) => name)
  const names = modelEnv.length > 0 ? modelEnv : (preset?.model_proxy?.env ?? known)
  const isNamed = words.some((word) => word.includes('{model_url}'))
  if (names.length === 0 && !isNamed && modelUpstream === undefined) return ok(undefined)
  const upstream = modelUpstream ?? preset?.model_proxy?.upstream
  const routes = modelRoutes({ env: names, ...(upstream !== undefined && { upstream }) }, (name) => io.env[name])
  return routes.ok ? ok(createModelAccess({ routes: routes.value })) : routes
}
