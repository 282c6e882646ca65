/** Starts the processes of a served agent, which run until the next restart. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerActor } from '@joust/arena'
import { ArenaError } from '@joust/arena'
import { childEnvironment, endsWithin, openRunFolders, type RunFolders } from '@joust/io'
import { a2aConfig, mcpConfig } from '../command/files.ts'
import { unreachable } from '../endpoint/reach.ts'
import type { Slots } from '../gateway/gateway-run.ts'
import type { Gateway } from '../gateway.ts'
import { targetLimits } from '../limits.ts'
import type { ServedModel } from '../models/served.ts'
import { addressOfPort, outputTail, type ReadySigns, type ServedProcess, startServed, untilReady } from './start.ts'

export interface ServeSetting extends ReadySigns {
  /** The words of the command. These words and the variables may contain `servePlaceholders`. */
  readonly command: readonly string[]
  /** @default {} */
  readonly env?: Readonly<Record<string, string>>
  /** The working directory, as an absolute path. */
  readonly cwd: string
  /** Uses a server that already listens at the URL or port. @default false */
  readonly reuse?: boolean
}

/** The lifetime of a process: all runs, the runs of one attack, or a single run. */
export type Restart = 'never' | 'attack' | 'trial'

/** Options for {@link createServedAgent}. */
export interface ServedAgentOptions {
  /** Processes in start order. Each process is started once the previous one is ready. */
  readonly processes: readonly ServeSetting[]
  /** The lifetime of the processes. @default 'never'; 'trial' for an agent that lists its tools only once */
  readonly restart?: Restart
  /** The agent's addresses, which must accept connections. */
  readonly addresses: readonly string[]
  readonly gateway: Gateway
  /** The proxy to the agent's models. @default none */
  readonly model?: ServedModel
  /** Writes MCP servers to `{mcp_config}` as commands. @default false */
  readonly stdio?: boolean
  /** The environment of the processes. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The processes between two restarts. */
export interface Generation {
  readonly attack: string
  readonly slots: Slots
  /** True if the agent was already running. */
  readonly isReused: boolean
  /** True once a run has reported that a process exited. */
  isReported: boolean
  /** Waits briefly for a process that is about to exit. */
  settle(): Promise<void>
  /** Describes the exit of a process; undefined while all are running. */
  fault(): string | undefined
  /** Output since the last `clear`, possibly truncated. */
  printed(): string
  clear(): void
  /** Adds process exit and output to an error. */
  explain(thrown: unknown): unknown
  end(): Promise<void>
}

interface GenerationPlan extends Pick<Generation, 'attack' | 'slots'> {
  readonly servers: readonly ServerActor[]
  readonly signal: AbortSignal
}

/** Starts the processes that are not running. Rejects with an `ArenaError` if one of them cannot be started. */
export async function startGeneration(
  options: ServedAgentOptions,
  { attack, slots, servers, signal }: GenerationPlan,
): Promise<Generation> {
  const { processes, addresses, model, environment = process.env } = options
  const started: ServedProcess[] = []
  const folders = await openRunFolders(true)
  let text = ''
  const printed = () => text
  const onText = (more: string) => {
    text = `${text}${more}`.slice(-targetLimits.printedText)
  }
  const fault = () => started.map((one) => one.fault()).find((one) => one !== undefined)
  const end = async () => {
    for (const one of started.toReversed()) await one.end()
    await folders.remove()
  }
  try {
    const values = await writeConfig(options, servers, folders)
    const passed = { PYTHONUNBUFFERED: '1', ...childEnvironment(Object.keys(environment), environment) }
    const served: boolean[] = []
    // The last process without its own ready signs must listen at the agent's addresses.
    for (const [index, one] of processes.entries())
      served.push(await isServed(one, index === processes.length - 1 ? addresses : []))
    for (const [index, setting] of processes.entries()) {
      if (served[index] === true) continue
      const { command, env = {}, ...rest } = setting
      const own = Object.entries(env).map(([name, value]) => [name, filled(value, values)] as const)
      const variables = { ...passed, ...folders.env, ...model?.env, ...Object.fromEntries(own) }
      started.push(
        await startServed(
          { ...rest, words: command.map((word) => filled(word, values)), env: variables },
          onText,
          signal,
        ).catch((thrown: unknown) => {
          throw processes.length === 1 ? thrown : atProcess(thrown, index)
        }),
      )
    }
    const missing = async () => {
      const reasons = await Promise.all(addresses.map((address) => unreachable(address)))
      return reasons.find((reason) => reason !== undefined)
    }
    await untilReady('the agent', missing, { fault, timeoutMs: processes.at(-1)?.timeoutMs, printed, signal })
  } catch (thrown) {
    await end()
    throw thrown
  }
  return {
    ...{ attack, slots, isReused: started.length === 0, isReported: false, fault, printed, end },
    settle: async () => {
      if (started.length > 0) await endsWithin(Promise.race(started.map((one) => one.exited)), targetLimits.serveExitMs)
    },
    clear: () => {
      text = ''
    },
    explain: (thrown) => {
      const tail = fault() ?? (text.trim() === '' ? undefined : outputTail(text))
      if (!(thrown instanceof ArenaError) || tail === undefined) return thrown
      return new ArenaError(thrown.code, `${thrown.message}; ${tail}`, { cause: thrown })
    },
  }
}

/** Adds the number of one of several processes to an error. */
function atProcess(thrown: unknown, index: number): unknown {
  if (!(thrown instanceof ArenaError)) return thrown
  return new ArenaError(thrown.code, thrown.message.replace(/^serve:/, `serve[${index}]:`), { cause: thrown })
}

/** True if a server already listens, so that no process needs to be started. Rejects unless `reuse` is set. */
async function isServed({ url, port, reuse = false }: ServeSetting, addresses: readonly string[]): Promise<boolean> {
  const own = [...(url === undefined ? [] : [url]), ...(port === undefined ? [] : [addressOfPort(port)])]
  for (const address of own.length > 0 ? own : addresses) {
    if ((await unreachable(address)) !== undefined) continue
    if (reuse) return true
    const { host } = new URL(address)
    const hint = 'stop it, choose another port, or set reuse: true to attack it'
    throw new ArenaError('listen_failed', `serve: another program already listens at ${host}: ${hint}`)
  }
  return false
}

/** Writes the agent's configuration files and returns the values of its placeholders. */
async function writeConfig(
  { gateway, model, stdio = false }: ServedAgentOptions,
  servers: readonly ServerActor[],
  { folder }: RunFolders,
): Promise<ReadonlyMap<string, string>> {
  const files = { mcp_config: join(folder, 'mcp.json'), a2a_config: join(folder, 'agents.json') }
  await writeFile(files.mcp_config, mcpConfig(servers, stdio), { mode: 0o600 })
  await writeFile(files.a2a_config, a2aConfig(servers), { mode: 0o600 })
  return new Map([
    ...Object.entries(files),
    ['gateway_url', new URL(gateway.address('mcp', 1)).origin],
    ...(model === undefined ? [] : [['model_url', model.url] as const]),
    ...servers.map(({ actor, address }) => [`${actor}.url`, address] as const),
  ])
}

/** Fills in known placeholders. Unknown ones were rejected, so other braces are part of a variable's value. */
function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /\{(\{[\w.-]+\})\}|\{([\w.-]+)\}/g,
    (whole: string, literal?: string, name?: string) => literal ?? values.get(name ?? '') ?? whole,
  )
}
