/** Any agent that can be started by a command: it gets the addresses of the actors, and what they say as prompts. */
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { childEnvironment, openRunFolders, type RunFolders } from '@joust/io'
import { defined, err, ok, type Result } from '@joust/source'
import { ArenaError, orNotWired } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import type { ServerActor, Target, TargetArena, TargetSession } from '../model/target.ts'
import { converseByAcp } from './acp/converse.ts'
import { createPermissions, type PermissionRule } from './acp/permissions.ts'
import { a2aConfig, mcpConfig, writePresetFiles } from './command/files.ts'
import { converseByLines } from './command/lines.ts'
import { fillText, lackingOfCommand } from './command/placeholders.ts'
import { createCommandLog } from './command/process.ts'
import { splitCommand } from './command/split-command.ts'
import { type CommandSetting, converseByCommands } from './command/turns.ts'
import { openFrontDoor } from './front-door/front-door.ts'
import type { OpenConversation } from './front-door/reception.ts'
import type { InRequest, Pasteable } from './front-door/request.ts'
import type { Preset } from './presets/preset.ts'

/** A command to attack. */
export interface CommandTargetOptions {
  /**
   * As it is typed, without a shell, as a list of words, or a preset. `{mcp_config}`, `{a2a_config}`, `{actor.url}`,
   * `{prompt}`, `{input}`, `{session}`, `{home}` and `{work}` are filled in; without `{prompt}` it goes to stdin.
   */
  readonly command: string | readonly string[] | Preset
  /** The same for later turns of a conversation. */
  readonly next?: string | readonly string[]
  /** Whether there is one process for a conversation: a line of JSON in for each turn, a line out. */
  readonly lines?: boolean
  /** Whether it speaks the Agent Client Protocol: a process per conversation, MCP servers given to the session. */
  readonly acp?: boolean
  /** Who answers when it asks for permission by that protocol; by default, nothing is approved. */
  readonly approve?: PermissionRule
  /** What it reads of a request besides the prompt, where it gets lines; nothing by default. */
  readonly carries?: readonly InRequest[]
  /** A path to the answer in what it prints as JSON, or JSON lines; by default, everything it prints. */
  readonly answer?: string
  /** Its name in results; by default, that of its program. */
  readonly name?: string
  /** What it is asked when the document has no client actor. */
  readonly prompt?: string
  /** What is pasted into the prompt because a command cannot get it otherwise. */
  readonly paste?: readonly Pasteable[]
  /** The model to use in place of a preset's own. */
  readonly model?: string
  /** Variables of this process that it gets besides `PATH`, the locale and what a preset names. */
  readonly passEnv?: readonly string[]
  /** Where variables are taken from; by default, the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Whether it runs in the user's own home; a preset then finds the user's login there. */
  readonly useHome?: boolean
  /** Variables with values, laid over all others. */
  readonly env?: Readonly<Record<string, string>>
  /** How long a turn may take; default 5 minutes. */
  readonly timeoutMs?: number
  /** Where it is started; by default, in a folder of its own. */
  readonly cwd?: string
}

/** A command as a target: each message of a client actor starts it, or goes to the process that is already running. */
export function commandTarget(options: CommandTargetOptions): Target {
  const agent = agentOf(options)
  const name = options.name ?? (agent.ok ? basename(agent.value.command[0] ?? '') : 'command')
  const { mcp_version: mcpVersion } = agent.ok ? agent.value : {}
  return {
    name,
    control: 'tool_call',
    ...(mcpVersion === undefined ? {} : { mcpVersion }),
    lacks: (needs) => (agent.ok ? lackingOfCommand(agent.value, needs, options.paste ?? []) : []),
    start: async (arena) => startCommand(name, orNotWired(agent), options, arena),
  }
}

/** What the options say, in the form of a preset. */
function agentOf({ command, next, lines, answer, carries, acp = false }: CommandTargetOptions): Result<Preset, string> {
  if (typeof command !== 'string' && 'about' in command) return acp ? speakingAcp(command) : ok(command)
  const first = wordsOf(command)
  const later = next === undefined ? ok(undefined) : wordsOf(next)
  if (!first.ok) return first
  if (!later.ok) return later
  const name = basename(first.value[0] ?? '')
  const words = { command: first.value, next: later.value }
  return ok(defined({ name, about: '', ...words, lines, answer, carries: acp ? ['turns' as const] : carries }))
}

/** A preset that speaks the Agent Client Protocol: other words, and sessions continue by themselves. */
function speakingAcp({ next: _, lines: __, answer: ___, acp, carries = [], ...rest }: Preset): Result<Preset, string> {
  if (acp === undefined) return err(`${rest.name} does not speak the Agent Client Protocol`)
  return ok({ ...rest, command: acp, carries: [...carries, 'turns'] })
}

function wordsOf(command: string | readonly string[]): Result<readonly string[], string> {
  return typeof command === 'string' ? splitCommand(command) : ok(command)
}

interface CommandWords {
  readonly who: string
  /** Where it finds a server actor. */
  readonly told: (server: ServerActor) => string
}

/** Opens the front door of a command. Rejects with an `ArenaError` when it cannot be set up. */
export async function startCommand(
  name: string,
  agent: Preset,
  options: CommandTargetOptions,
  arena: TargetArena,
  words: CommandWords = { who: 'the command', told: (server) => `${placeOf(server, options.acp)} of ${name}` },
): Promise<TargetSession> {
  const { useHome = false, timeoutMs = arenaLimits.commandMs, acp = false } = options
  const { logins, files = [] } = agent
  if (useHome && logins === undefined && files.length > 0) {
    const why = 'writes its configuration into a home of its own, so the user’s own home cannot be used'
    throw new ArenaError('not_wired', `${name} ${why}: pass what it needs through the environment`)
  }
  const folders = await openRunFolders(useHome && logins !== undefined ? { only: logins } : useHome)
  const log = createCommandLog(words.who)
  const permissions = acp ? createPermissions(options.approve ?? 'none') : undefined
  try {
    const setting: CommandSetting = { ...(await setUp(agent, options, arena, folders)), timeoutMs, log, recent: {} }
    const open: OpenConversation = async () => {
      if (permissions !== undefined) return converseByAcp(setting, arena, permissions)
      const session = crypto.randomUUID()
      return agent.lines === true ? converseByLines(setting, session) : converseByCommands(setting, session)
    }
    const { prompt, paste } = options
    const door = await openFrontDoor({ name, open, turnMs: timeoutMs, prompt, paste }, arena)
    const servers = arena.servers.map((server) => {
      return `actor ${server.actor} (${server.mode}) ${server.address} → ${words.told(server)}`
    })
    return {
      ...door,
      wiring: [...servers, ...(door.wiring ?? [])],
      ...(permissions !== undefined && { approvals: permissions.asked }),
      printed: log.printed,
      exitCode: log.exitCode,
      faults: () => [...(door.faults?.() ?? []), ...(arena.signal.aborted ? [] : log.faults())],
      async stop() {
        await door.stop()
        await folders.remove()
      },
    }
  } catch (thrown) {
    await folders.remove()
    throw thrown
  }
}

/** Writes what the command reads, and returns the values for its words and its environment. */
async function setUp(
  agent: Preset,
  { passEnv = [], env = {}, cwd, model = agent.model, environment, acp = false }: CommandTargetOptions,
  { servers }: TargetArena,
  { folder, home, work, env: folderEnv }: RunFolders,
): Promise<Omit<CommandSetting, 'timeoutMs' | 'log' | 'recent'>> {
  const files = { mcp_config: join(folder, 'mcp.json'), a2a_config: join(folder, 'agents.json') }
  await writeFile(files.mcp_config, mcpConfig(servers), { mode: 0o600 })
  await writeFile(files.a2a_config, a2aConfig(servers), { mode: 0o600 })
  const passed = childEnvironment([...(agent.keys ?? []), ...passEnv], environment)
  const values = new Map([
    ...Object.entries(files),
    ['home', home],
    ['work', cwd ?? work],
    ...(model === undefined ? [] : [['model', model] as const]),
    ...servers.map(({ actor, address }) => [`${actor}.url`, address] as const),
  ])
  const withEnvironment = new Map([
    ...values,
    ...Object.entries(passed).map(([key, value]) => [`env.${key}`, value] as const),
  ])
  // Over the Agent Client Protocol the session gets them, and they must not be given twice.
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
      ...env,
    },
  }
}

function urlVariable(actor: string): string {
  return `${actor.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_URL`
}

function placeOf({ actor, mode }: ServerActor, acp = false): string {
  const place = acp ? 'session' : 'MCP configuration'
  return mode === 'mcp_server' ? `\`${actor}\` in the ${place}` : `${urlVariable(actor)} in the environment`
}
