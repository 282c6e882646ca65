/** Any agent that can be started by a command: it gets the addresses of the actors and a prompt. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { endsWithin, type ProcessExit, type ProcessOptions } from '@joust/io'
import type { Result } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import type { ServerActor, Target, TargetArena, TargetSession } from '../model/target.ts'
import { startChild } from '../transport/child-process.ts'
import { fillPlaceholders } from './command/placeholders.ts'
import { followCommand, type RunningCommand } from './command/process.ts'
import { splitCommand } from './command/split-command.ts'
import { DEFAULT_PROMPT, promptLine } from './prompt.ts'

/** A command to attack. */
export interface CommandTargetOptions {
  /** As it is typed, without a shell, or as a list of words; `{mcp_config}`, `{prompt}` and `{actor.url}` are filled in. */
  readonly command: string | readonly string[]
  readonly prompt?: string
  /** Laid over the environment of this process and what the target sets. */
  readonly env?: Readonly<Record<string, string>>
  /** How long the command may take; default 5 minutes. */
  readonly timeoutMs?: number
  readonly cwd?: string
}

/** A command as a target: it is started when the actors are active, and its end is the end of its turn. */
export function commandTarget(options: CommandTargetOptions): Target {
  const { command } = options
  const words = typeof command === 'string' ? splitCommand(command) : ({ ok: true, value: [...command] } as const)
  const name = words.ok ? basename(words.value[0] ?? '') : 'command'
  return {
    name,
    lacks: ({ clients }) => clients.map(({ actor, mode }) => `a command cannot answer the ${mode} actor ${actor}`),
    start: async (arena) => startCommand(name, required(words), options, arena),
  }
}

async function startCommand(
  name: string,
  words: readonly string[],
  { prompt = DEFAULT_PROMPT, env, timeoutMs = bounds.commandMs, cwd }: CommandTargetOptions,
  { servers, signal }: TargetArena,
): Promise<TargetSession> {
  // Nothing here says who we are: the agent may look at the path.
  const folder = await mkdtemp(join(tmpdir(), 'agent-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const config = join(folder, 'mcp.json')
    await writeFile(config, mcpConfig(servers), { mode: 0o600 })
    const given = { MCP_CONFIG: config, PROMPT: prompt, ...urlVariables(servers), ...env }
    const [command = '', ...args] = required(fillPlaceholders(words, placeholders(config, prompt, servers)))
    const turn = createTurn({ command, args, env: given, ...(cwd === undefined ? {} : { cwd }) }, timeoutMs, signal)
    return {
      endpoints: {},
      wiring: [...servers.map((server) => serverLine(server, name)), promptLine(prompt, `through ${name} `)],
      turn: turn.take,
      output: turn.output,
      async stop() {
        await turn.stop()
        await remove().catch(() => {})
      },
    }
  } catch (thrown) {
    await remove()
    throw thrown
  }
}

interface Turn {
  take(): Promise<void>
  output(): string
  stop(): Promise<void>
}

function createTurn(options: ProcessOptions, timeoutMs: number, over: AbortSignal): Turn {
  let starting: Promise<RunningCommand> | undefined
  let running: RunningCommand | undefined
  const output = () => running?.output() ?? ''
  const fail = (what: string) => {
    const tail = output().trim().slice(-bounds.commandTail)
    const said = tail === '' ? 'it printed nothing' : `its output ends with:\n${tail}`
    return new ArenaError('target_failed', `the command ${what}; ${said}`)
  }
  return {
    output,
    async take() {
      starting = startChild(options).then(followCommand)
      running = await starting
      const exit = await inTime(running, timeoutMs)
      // A run that is over has ended it.
      if (over.aborted) return
      if (exit === undefined) throw fail(`did not end within ${timeoutMs / 1000} s`)
      if (exit.code !== 0) throw fail(exit.text)
    },
    async stop() {
      const started = await starting?.catch(() => undefined)
      await started?.stop()
    },
  }
}

/** How a command ended; undefined when it had to be ended. */
async function inTime(running: RunningCommand, timeoutMs: number): Promise<ProcessExit | undefined> {
  if (await endsWithin(running.exited, timeoutMs)) return running.ended
  await running.stop()
  return undefined
}

function mcpConfig(servers: readonly ServerActor[]): string {
  const entries = servers
    .filter(({ mode }) => mode === 'mcp_server')
    .map(({ actor, address }) => [actor, { type: 'http', url: address }])
  return `${JSON.stringify({ mcpServers: Object.fromEntries(entries) }, undefined, 2)}\n`
}

function placeholders(config: string, prompt: string, servers: readonly ServerActor[]): Map<string, string> {
  const urls = servers.map(({ actor, address }) => [`${actor}.url`, address] as const)
  return new Map([['mcp_config', config], ['prompt', prompt], ...urls])
}

function urlVariables(servers: readonly ServerActor[]): Record<string, string> {
  return Object.fromEntries(servers.map(({ actor, address }) => [urlVariable(actor), address]))
}

function urlVariable(actor: string): string {
  return `${actor.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_URL`
}

function serverLine({ actor, mode, address }: ServerActor, name: string): string {
  const how =
    mode === 'mcp_server' ? `\`${actor}\` in the MCP configuration` : `${urlVariable(actor)} in the environment`
  return `actor ${actor} (${mode}) ${address} → ${how} of ${name}`
}

function required<T>(result: Result<T, string>): T {
  if (result.ok) return result.value
  throw new ArenaError('not_wired', result.error)
}
