/** A target started by a command, which gets the URLs of server actors, and client messages as prompts. */

import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ServerActor, Target, TargetArena, TargetSession } from '@joust/arena'
import { ArenaError, unwrapWiring } from '@joust/arena'
import { childEnvironment, openRunFolders, type RunFolders } from '@joust/io'
import { defined, err, ok, type Result } from '@joust/source'
import { converseByAcp } from './acp/converse.ts'
import { createPermissions, type PermissionRule } from './acp/permissions.ts'
import { openChat } from './chat/chat.ts'
import type { OpenConversation } from './chat/conversations.ts'
import type { Pasteable, RequestPart } from './chat/request.ts'
import { a2aConfig, mcpConfig, writePresetFiles } from './command/files.ts'
import { layFolder } from './command/folder.ts'
import { converseByLines } from './command/lines.ts'
import { fillText, hasTurns, lackingOfCommand } from './command/placeholders.ts'
import { createCommandLog } from './command/process.ts'
import { splitCommand } from './command/split-command.ts'
import { type CommandSetting, converseByCommands } from './command/turns.ts'
import { behindGateway } from './gateway/gateway-run.ts'
import type { Gateway } from './gateway.ts'
import { targetLimits } from './limits.ts'
import { type OpenModel, type OpenModelAccess, withOpenModel } from './models/access.ts'
import type { Preset } from './presets/preset.ts'

/**
 * Options for `commandTarget`.
 *
 * @example
 * const target = commandTarget({
 *   command: ['my-agent', '--mcp-config', '{mcp_config}', '{prompt}'],
 *   passEnv: ['OPENAI_API_KEY'],
 *   timeoutMs: 60_000,
 * })
 */
export interface CommandTargetOptions {
  /**
   * A command line (split without a shell), a list of words, or a preset. Placeholders: `{mcp_config}`, `{a2a_config}`,
   * `{actor.url}`, `{prompt}`, `{input}`, `{session}`, `{home}`, `{work}` and, with `openModel`, `{model_url}`. Without
   * `{prompt}`, the prompt is written to stdin.
   */
  readonly command: string | readonly string[] | Preset
  /** The command for later turns of a conversation. @default the same command */
  readonly next?: string | readonly string[]
  /** Uses one process per conversation, which reads and writes one line of JSON per turn. @default false */
  readonly lines?: boolean
  /** Uses the Agent Client Protocol: one process per conversation, with the servers in the session. @default false */
  readonly acp?: boolean
  /** Decides on permission requests of the Agent Client Protocol. @default 'none' */
  readonly approve?: PermissionRule
  /** Request parts that a command with `lines` reads in addition to the prompt. @default [] */
  readonly carries?: readonly RequestPart[]
  /** Path to the answer in output that is JSON or JSON lines. @default the entire output */
  readonly answer?: string
  /** Target name in results. @default the program name */
  readonly name?: string
  /** The prompt for documents without a client actor. @default a request to use the tools and report the result */
  readonly prompt?: string
  /** Request parts pasted into the prompt, because the command cannot receive them otherwise. @default [] */
  readonly paste?: readonly Pasteable[]
  /** Opens model access for a run, for `{model_url}` and environment variables. @default none */
  readonly openModel?: OpenModelAccess
  /** The gateway where server actors listen. @default new addresses for each run */
  readonly gateway?: Gateway
  /** Writes MCP servers to `{mcp_config}` as commands, for agents that support only commands. @default false */
  readonly stdio?: boolean
  /** The model of a preset. @default the preset's own model */
  readonly model?: string
  /**
   * Environment variables passed on in addition to `PATH`, the locale and the preset's variables.
   *
   * @default none
   * @example ['ANTHROPIC_API_KEY']
   */
  readonly passEnv?: readonly string[]
  /** The environment from which variables are passed on. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Uses the user's home directory instead of an empty one; with a preset, only its login files. @default false */
  readonly useHome?: boolean
  /** Variables that override all others. @default {} */
  readonly env?: Readonly<Record<string, string>>
  /** Timeout of a turn, in milliseconds. @default 300000 */
  readonly timeoutMs?: number
  /** The working directory, unless the attack has `x-joust-files`. @default a temporary folder */
  readonly cwd?: string
}

/**
 * Creates a target from a command. Each message starts the command, or is sent to the process of a conversation.
 *
 * @example
 * const target = commandTarget({ command: ['my-agent', '--mcp-config', '{mcp_config}', '{prompt}'] })
 */
export function commandTarget(options: CommandTargetOptions): Target {
  const agent = agentOf(options)
  const name = options.name ?? (agent.ok ? basename(agent.value.command[0] ?? '') : 'command')
  const { mcp_version: mcpVersion } = agent.ok ? agent.value : {}
  const target: Target = {
    name,
    kind: options.acp === true ? 'acp' : 'command',
    prompt: options.prompt,
    preflight: 'tool_call',
    ...(mcpVersion === undefined ? {} : { mcpVersion }),
    lacks: (needs) => (agent.ok ? lackingOfCommand(agent.value, needs, options.paste ?? []) : []),
    start: async (arena) => startCommand(name, unwrapWiring(agent), options, arena),
  }
  return behindGateway(target, options.gateway)
}

function agentOf({ command, next, lines, answer, carries, acp = false }: CommandTargetOptions): Result<Preset, string> {
  if (typeof command !== 'string' && 'about' in command) return acp ? acpPreset(command) : ok(command)
  const first = wordsOf(command)
  const later = next === undefined ? ok(undefined) : wordsOf(next)
  if (!first.ok) return first
  if (!later.ok) return later
  const name = basename(first.value[0] ?? '')
  const words = { command: first.value, next: later.value }
  return ok(defined({ name, about: '', ...words, lines, answer, carries: acp ? ['turns' as const] : carries }))
}

/** Converts a preset to use its Agent Client Protocol command, whose sessions support several turns. */
function acpPreset({ next: _, lines: __, answer: ___, acp, carries = [], ...rest }: Preset): Result<Preset, string> {
  if (acp === undefined) return err(`${rest.name} does not support the Agent Client Protocol`)
  return ok({ ...rest, command: acp, carries: [...carries, 'turns'] })
}

function wordsOf(command: string | readonly string[]): Result<readonly string[], string> {
  return typeof command === 'string' ? splitCommand(command) : ok(command)
}

interface CommandDescription {
  /** The subject of failure messages. */
  readonly who: string
  readonly placeOf: (server: ServerActor) => string
}

/** Starts a command session. Rejects with an `ArenaError` if the session cannot be set up. */
export async function startCommand(
  name: string,
  agent: Preset,
  options: CommandTargetOptions,
  arena: TargetArena,
  description: CommandDescription = {
    who: 'the command',
    placeOf: (server) => `${placeOf(server, options.acp)} of ${name}`,
  },
): Promise<TargetSession> {
  const { useHome = false, timeoutMs = targetLimits.commandMs, acp = false } = options
  const { logins, files = [] } = agent
  if (useHome && logins === undefined && files.length > 0) {
    const reason = "writes configuration files to its home directory, so the user's home directory cannot be used"
    throw new ArenaError('not_wired', `${name} ${reason}: pass environment variables instead`)
  }
  const folders = await openRunFolders(useHome && logins !== undefined ? { only: logins } : useHome)
  const log = createCommandLog(description.who)
  const permissions = acp ? createPermissions(options.approve ?? 'none') : undefined
  const start = async (model: OpenModel | undefined): Promise<TargetSession> => {
    // Never write an attack's files to a user's folder.
    const { cwd, ...elsewhere } = options
    const ready = await setUp(agent, arena.files === undefined ? options : elsewhere, arena, folders, model)
    const folder = arena.files && (await layFolder(arena.files, { ...folders, cwd }, ready))
    const prepared = folder?.setting ?? ready
    const setting: CommandSetting = { ...prepared, timeoutMs, log, recent: {} }
    const open: OpenConversation = async () => {
      if (permissions !== undefined) return converseByAcp(setting, arena, permissions)
      const session = crypto.randomUUID()
      return agent.lines === true ? converseByLines(setting, session) : converseByCommands(setting, session)
    }
    const { prompt, paste } = options
    const session = await openChat({ name, open, turnMs: timeoutMs, prompt, paste, hasTurns: hasTurns(agent) }, arena)
    const servers = arena.servers.map((server) => {
      return `actor ${server.actor} (${server.mode}) ${server.address} → ${description.placeOf(server)}`
    })
    return {
      ...session,
      wiring: [...servers, ...(session.wiring ?? [])],
      ...(permissions !== undefined && { approvals: permissions.requests }),
      ...(folder !== undefined && { inspectFolder: folder.inspect }),
      printed: log.printed,
      exitCode: log.exitCode,
      lastError: log.lastError,
      faults: () => [...(session.faults?.() ?? []), ...(arena.signal.aborted ? [] : log.faults())],
      async stop() {
        await session.stop()
        await folders.remove()
      },
    }
  }
  try {
    return await withOpenModel(options.openModel, arena, start)
  } catch (thrown) {
    await folders.remove()
    throw thrown
  }
}

async function setUp(
  agent: Preset,
  { passEnv = [], env = {}, cwd, model = agent.model, environment, acp = false, stdio }: CommandTargetOptions,
  { servers }: TargetArena,
  { folder, home, work, env: folderEnv }: RunFolders,
  access: OpenModel | undefined,
): Promise<Omit<CommandSetting, 'timeoutMs' | 'log' | 'recent'>> {
  const files = { mcp_config: join(folder, 'mcp.json'), a2a_config: join(folder, 'agents.json') }
  await writeFile(files.mcp_config, mcpConfig(servers, stdio), { mode: 0o600 })
  await writeFile(files.a2a_config, a2aConfig(servers), { mode: 0o600 })
  const passed = { ...childEnvironment([...(agent.keys ?? []), ...passEnv], environment), ...access?.env }
  const values = new Map([
    ...Object.entries(files),
    ['home', home],
    ['work', cwd ?? work],
    ...(model === undefined ? [] : [['model', model] as const]),
    ...(access === undefined ? [] : [['model_url', access.url] as const]),
    ...servers.map(({ actor, address }) => [`${actor}.url`, address] as const),
  ])
  const withEnvironment = new Map([
    ...values,
    ...Object.entries(passed).map(([key, value]) => [`env.${key}`, value] as const),
  ])
  // With the Agent Client Protocol, the session passes the servers, which must not be configured twice.
  const reachable = acp ? [] : servers.filter(({ mode }) => mode === 'mcp_server')
  await writePresetFiles(agent.files ?? [], home, reachable, withEnvironment)
  const ofAgent = Object.entries(agent.env ?? {}).map(([key, value]) => [key, fillText(value, withEnvironment)])
  const { command, next, answer } = agent
  return {
    ...{ command, next, answer, folder, values, cwd: cwd ?? work },
    env: {
      ...passed,
      ...folderEnv,
      MCP_CONFIG: files.mcp_config,
      A2A_CONFIG: files.a2a_config,
      ...Object.fromEntries(servers.map(({ actor, address }) => [urlVariable(actor), address])),
      ...Object.fromEntries(ofAgent),
      ...(access === undefined ? env : withAddress(env, access.url)),
      ...(access && { MODEL_URL: access.url, ...access.env }),
    },
  }
}

function withAddress(env: Readonly<Record<string, string>>, url: string): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll('{model_url}', url)]))
}

function urlVariable(actor: string): string {
  return `${actor.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_URL`
}

function placeOf({ actor, mode }: ServerActor, acp = false): string {
  const place = acp ? 'session' : 'MCP configuration'
  return mode === 'mcp_server' ? `\`${actor}\` in the ${place}` : `${urlVariable(actor)} in the environment`
}
