/** Who is attacked: the words of the command line as a target for each run. */

import type { Agent } from '@joust/agentformat'
import type { Listen, ResultTarget, RunOptions } from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import type { RuntimeOptions } from '@joust/runtime'
import { err, ok, type Result } from '@joust/source'
import { bindRuntime } from '../agent/bind-runtime.ts'
import { openAgent } from '../agent/open-agent.ts'
import { STDIN } from '../input/read.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'
import { readApprovals } from './approvals.ts'
import { onCassette } from './cassette.ts'
import type { TargetWords } from './options.ts'
import type { DeclaredPeers } from './preview.ts'
import { readHeaders } from './secrets.ts'
import { readPairs } from './words.ts'

/** A target that can be made for each run. */
export interface TargetPlan {
  readonly about: ResultTarget
  /** What an agent file declares. */
  readonly declared?: DeclaredPeers
  /** What a run needs to attack it. `runtime` is laid over the options of the agent's runtime, where there is one. */
  make(runtime: Partial<RuntimeOptions>, cassette?: Cassette): RunOptions | Promise<RunOptions>
}

const kinds = ['agent', 'model', 'target', 'exec', 'wire'] as const

/** Reads the options; says what is wrong with them. */
export async function planTarget(words: TargetWords, io: Io, runMs?: number): Promise<Result<TargetPlan, number>> {
  const listen = readListen(words.listen)
  if (!listen.ok) return err(wrongUsage([listen.error], io))
  const given = kinds.filter((kind) => words[kind] !== undefined)
  // A model stands in for those of an agent.
  const [kind, ...others] = given.filter((name) => name !== 'model' || words.agent === undefined)
  if (others.length > 0)
    return err(wrongUsage([`--${kind} and --${others.join(', --')} name different targets; give one`], io))
  const plan = await plans[kind ?? 'none'](words, io, runMs)
  if (!plan.ok) return err(typeof plan.error === 'number' ? plan.error : wrongUsage([plan.error], io))
  const { make, ...rest } = plan.value
  return ok({
    ...rest,
    make: async (runtime, cassette) => ({
      ...(await onCassette(await make(runtime, cassette), cassette)),
      listen: listen.value,
    }),
  })
}

/** A fault is a sentence, or the exit code when it has been told already. */
type Planned = Promise<Result<TargetPlan, string | number>>

const plans: Record<(typeof kinds)[number] | 'none', (words: TargetWords, io: Io, runMs?: number) => Planned> = {
  agent: planAgent,
  model: planModel,
  target: planEndpoints,
  exec: planCommand,
  wire: planSelfPlay,
  none: async () => ok({ about: { kind: 'none', name: 'whoever connects' }, make: () => ({}) }),
}

async function planAgent(words: TargetWords, io: Io): Planned {
  const file = words.agent ?? ''
  const bind = readPairs('--bind', words.bind)
  if (!bind.ok) return bind
  const approve = await readApprovals(words.approve, io)
  if (!approve.ok) return approve
  const opened = await openAgent(file, io, { quiet: true })
  // What is wrong has been told; here it is the command line that is wrong, not the agent that was exploited.
  if (!opened.ok) return err(exitCodes.usage)
  const { model, config, script } = words
  const bound = await bindRuntime(
    { approve: 'none', quiet: true, ...(config && { config }), ...(model && { model }), ...(script && { script }) },
    opened.value.path,
    io,
  )
  if (!bound.ok) return err(exitCodes.usage)
  const { agentTarget } = await import('@joust/arena/agent')
  const { agent } = opened.value
  const { id, version } = agent.document.metadata
  const details = { file, version, ...(model && { model }) }
  return ok({
    about: { kind: 'agent', name: id, details },
    declared: declaredBy(agent),
    make: async (runtime, cassette) => ({
      target: agentTarget({
        agent,
        runtime: { ...bound.value, ...runtime, ...(await modelsOn(cassette, bound.value.models, io)) },
        bind: bind.value,
        approve: approve.value,
        inProcess: words.inProcess === true,
        ...(words.prompt && { prompt: words.prompt }),
      }),
    }),
  })
}

/** The aliases of the whole graph. */
function declaredBy(agent: Agent): DeclaredPeers {
  const { mcp_servers = [], remote_agents = [] } = agent.document.action_space ?? {}
  const children = [...agent.agents.values()].map(declaredBy)
  return {
    mcp_servers: [...mcp_servers.map(({ alias }) => alias), ...children.flatMap((child) => child.mcp_servers)],
    remote_agents: [...remote_agents.map(({ alias }) => alias), ...children.flatMap((child) => child.remote_agents)],
  }
}

async function planModel(words: TargetWords, io: Io): Planned {
  const model = words.model ?? ''
  const approve = await readApprovals(words.approve, io)
  if (!approve.ok) return approve
  const { config, script } = words
  const named = { approve: 'none', quiet: true, model, ...(config && { config }), ...(script && { script }) } as const
  const bound = config === undefined && script === undefined ? ok({}) : await bindRuntime(named, STDIN, io)
  if (!bound.ok) return bound
  const { resolveModel } = await import('@joust/runtime')
  const options: Partial<RuntimeOptions> = bound.value
  // A replay asks nobody, and so needs no key; neither does a model that is bound already.
  const known = words.replay !== undefined || options.models !== undefined
  const resolved = known ? ok(undefined) : await resolveModel(model, io.env)
  if (!resolved.ok) return err(`--model ${model}: ${resolved.error.message}`)
  const { modelTarget } = await import('@joust/arena/agent')
  return ok({
    about: { kind: 'model', name: model },
    make: async (runtime, cassette) => ({
      target: modelTarget({
        model,
        runtime: { env: io.env, ...options, ...runtime, ...(await modelsOn(cassette, options.models, io)) },
        inProcess: words.inProcess === true,
        approve: approve.value,
        ...(words.prompt && { prompt: words.prompt }),
      }),
    }),
  })
}

async function modelsOn(
  cassette: Cassette | undefined,
  models: RuntimeOptions['models'],
  io: Io,
): Promise<Pick<RuntimeOptions, 'models'>> {
  if (cassette === undefined) return {}
  const { recordedModels } = await import('@joust/arena/cassette')
  return { models: recordedModels(models, cassette, io.env) }
}

const protocols = ['ag_ui', 'a2a', 'mcp']

async function planEndpoints({ target = [], header = [], prompt, replay }: TargetWords, io: Io): Planned {
  const pairs = readPairs('--target', target)
  if (!pairs.ok) return pairs
  const wrong = Object.keys(pairs.value).find((name) => !protocols.includes(name))
  if (wrong !== undefined)
    return err(`--target wants ${protocols.map((name) => `${name}=URL`).join(', ')}; there is no ${wrong}`)
  const headers = replay === undefined ? readHeaders(header, io) : ok({})
  if (!headers.ok) return headers
  const { endpointTarget, splitCommand } = await import('@joust/arena')
  const endpoints: Record<string, unknown> = {}
  for (const [protocol, word] of Object.entries(pairs.value)) {
    if (/^https?:\/\//.test(word) && !URL.canParse(word)) return err(`--target ${protocol}: ${word} is no URL`)
    if (/^https?:\/\//.test(word)) endpoints[protocol] = { url: word, headers: headers.value }
    else if (protocol !== 'mcp') return err(`--target ${protocol} wants a URL, not "${word}"`)
    else {
      const argv = splitCommand(word)
      if (!argv.ok) return err(`--target mcp: ${argv.error}`)
      const [command = '', ...args] = argv.value
      endpoints[protocol] = { command, args }
    }
  }
  const name = Object.entries(pairs.value).map(([protocol, word]) => `${protocol}=${placeOf(word)}`)
  return ok({
    about: { kind: 'endpoint', name: name.join(' ') },
    make: (_, cassette) => {
      const sending = cassette && { send: cassette.http(), preflight: cassette.mode === 'record' }
      return { target: endpointTarget({ ...endpoints, ...(prompt && { prompt }), ...sending }) }
    },
  })
}

/** A command is ended a little before its run, so that what it printed is part of the reason. */
const AHEAD_MS = 200

async function planCommand({ exec: command = '', prompt }: TargetWords, io: Io, runMs?: number): Planned {
  const timeoutMs = runMs === undefined ? undefined : Math.max(runMs - AHEAD_MS, runMs / 2)
  const { commandTarget, splitCommand } = await import('@joust/arena')
  const argv = splitCommand(command)
  if (!argv.ok) return err(`--exec: ${argv.error}`)
  return ok({
    about: { kind: 'command', name: withoutSecretWords(command) },
    make: () => ({
      target: commandTarget({ command, cwd: io.cwd, ...(prompt && { prompt }), ...(timeoutMs && { timeoutMs }) }),
    }),
  })
}

async function planSelfPlay({ wire = [] }: TargetWords): Planned {
  const pairs = readPairs('--wire', wire)
  if (!pairs.ok) return pairs
  return ok({ about: { kind: 'self-play', name: wire.join(' ') }, make: () => ({ wire: pairs.value }) })
}

/** `actor=host:port` or `actor=stdio`. */
function readListen(words: readonly string[] | undefined): Result<Record<string, Listen>, string> {
  const pairs = readPairs('--listen', words)
  if (!pairs.ok) return pairs
  const listen: Record<string, Listen> = {}
  for (const [actor, place] of Object.entries(pairs.value)) {
    const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(place) ?? []
    if (place === 'stdio') listen[actor] = 'stdio'
    else if (port === undefined || Number(port) > 65_535)
      return err(`--listen wants ACTOR=HOST:PORT or ACTOR=stdio, not "${place}"`)
    else listen[actor] = { port: Number(port), ...(host === undefined ? {} : { host: host.replace(/^\[|\]$/g, '') }) }
  }
  return ok(listen)
}

/** An address without what may be secret: user, password and query. Anything else is a command. */
function placeOf(word: string): string {
  if (!URL.canParse(word) || !/^https?:/.test(word)) return withoutSecretWords(word)
  const { origin, pathname } = new URL(word)
  return `${origin}${pathname}`
}

/** A command line with the values of options hidden that are called keys, tokens, secrets or passwords. */
function withoutSecretWords(command: string): string {
  return command.replaceAll(/(--?[\w-]*(?:key|token|secret|password)[\w-]*)([= ]+)(?!-)\S+/gi, '$1$2[hidden]')
}
