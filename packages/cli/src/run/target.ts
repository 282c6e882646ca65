/** Who is attacked: the options as a target for each run. */

import type { Agent } from '@joust/agentformat'
import type { RunOptions as AttackOptions, ResultTarget } from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import type { RuntimeOptions } from '@joust/runtime'
import { err, ok, type Result } from '@joust/source'
import { bindRuntime } from '../agent/bind-runtime.ts'
import { openAgent } from '../agent/open-agent.ts'
import { STDIN } from '../input/read.ts'
import type { RunOptions } from '../options/run.ts'
import { type TargetKind, targetKind } from '../options/targets.ts'
import { isUrl } from '../options/values.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'
import { readApprovals } from './approvals.ts'
import { onCassette } from './cassette.ts'
import type { DeclaredPeers } from './preview.ts'
import { expandHeaders } from './secrets.ts'

/** A target that can be made for each run. */
export interface TargetPlan {
  readonly about: ResultTarget
  /** The texts of an agent file and of those it refers to, by name. */
  readonly texts?: ReadonlyMap<string, string>
  /** What an agent file declares. */
  readonly declared?: DeclaredPeers
  /** The models that an agent file names. */
  readonly models?: readonly string[]
  /** What a run needs to attack it. `runtime` is laid over the options of the agent's runtime, where there is one. */
  make(runtime: Partial<RuntimeOptions>, cassette?: Cassette): AttackOptions | Promise<AttackOptions>
}

/** Makes a plan of the options; says what is wrong with what they name. */
export async function planTarget(options: RunOptions, io: Io): Promise<Result<TargetPlan, number>> {
  const plan = await plans[targetKind(options)](options, io)
  if (!plan.ok) return err(typeof plan.error === 'number' ? plan.error : wrongUsage([plan.error], io))
  const { make, ...rest } = plan.value
  return ok({
    ...rest,
    make: async (runtime, cassette) => ({
      ...(await onCassette(await make(runtime, cassette), cassette)),
      listen: options.listen,
    }),
  })
}

/** A fault is a sentence, or the exit code when it has been told already. */
type Planned = Promise<Result<TargetPlan, string | number>>

const plans: { readonly [kind in TargetKind]: (options: RunOptions, io: Io) => Planned } = {
  agent: planAgent,
  model: planModel,
  endpoint: planEndpoints,
  command: planCommand,
  'self-play': planSelfPlay,
  none: async () => ok({ about: { kind: 'none', name: 'whoever connects' }, make: () => ({}) }),
}

async function planAgent(options: RunOptions, io: Io): Planned {
  const file = options.agent ?? ''
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const opened = await openAgent(file, io, { quiet: true })
  // What is wrong has been told; here it is the command line that is wrong, not the agent that was exploited.
  if (!opened.ok) return err(exitCodes.usage)
  const { model, config, script, bind, inProcess } = options
  const bound = await bindRuntime({ approve: 'none', quiet: true, config, model, script }, opened.value.path, io)
  if (!bound.ok) return err(exitCodes.usage)
  const { agentTarget } = await import('@joust/arena/agent')
  const { agent } = opened.value
  const { id, version } = agent.document.metadata
  const details = { file, version, ...(model && { model }) }
  return ok({
    about: { kind: 'agent', name: id, details },
    texts: opened.value.texts,
    declared: declaredBy(agent),
    models: modelsOf(agent),
    make: async (runtime, cassette) => ({
      target: agentTarget({
        agent,
        runtime: { ...bound.value, ...runtime, ...(await modelsOn(cassette, bound.value.models, io)) },
        bind,
        approve: approve.value,
        inProcess,
        ...(options.prompt && { prompt: options.prompt }),
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

/** The models of the whole graph, as the documents name them. */
function modelsOf({ document, agents }: Agent): string[] {
  const children = [...agents.values()].flatMap(modelsOf)
  const { config } = document.execution_policy
  if (!('model' in config) || typeof config.model !== 'string') return children
  const { model, provider } = config
  const isWhole = typeof provider !== 'string' || model.startsWith(`${provider}/`)
  return [isWhole ? model : `${provider}/${model}`, ...children]
}

async function planModel(options: RunOptions, io: Io): Planned {
  const model = options.model ?? ''
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const { config, script, inProcess } = options
  const named = { approve: 'none', quiet: true, model, config, script } as const
  const bound = config === undefined && script === undefined ? ok({}) : await bindRuntime(named, STDIN, io)
  if (!bound.ok) return bound
  const { resolveModel } = await import('@joust/runtime')
  const given: Partial<RuntimeOptions> = bound.value
  // A replay asks nobody, and so needs no key; neither does a model that is bound already.
  const known = options.replay !== undefined || given.models !== undefined
  const resolved = known ? ok(undefined) : await resolveModel(model, io.env)
  if (!resolved.ok) return err(`--model ${model}: ${resolved.error.message}`)
  const { modelTarget } = await import('@joust/arena/agent')
  return ok({
    about: { kind: 'model', name: model },
    make: async (runtime, cassette) => ({
      target: modelTarget({
        model,
        runtime: { env: io.env, ...given, ...runtime, ...(await modelsOn(cassette, given.models, io)) },
        inProcess,
        approve: approve.value,
        ...(options.prompt && { prompt: options.prompt }),
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

async function planEndpoints({ target = {}, header, prompt, replay }: RunOptions, io: Io): Planned {
  const headers = replay === undefined ? expandHeaders(header, io) : ok({})
  if (!headers.ok) return headers
  const { endpointTarget, splitCommand } = await import('@joust/arena')
  const endpoints: Record<string, unknown> = {}
  for (const [protocol, place] of Object.entries(target)) {
    if (isUrl(place)) endpoints[protocol] = { url: place, headers: headers.value }
    else {
      const argv = splitCommand(place)
      if (!argv.ok) return err(`--target ${protocol}: ${argv.error}`)
      const [command = '', ...args] = argv.value
      endpoints[protocol] = { command, args }
    }
  }
  const name = Object.entries(target).map(([protocol, place]) => `${protocol}=${withoutSecrets(place)}`)
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

async function planCommand({ exec: command = '', prompt, maxDuration: runMs }: RunOptions, io: Io): Planned {
  const timeoutMs = runMs === undefined ? undefined : Math.max(runMs - AHEAD_MS, runMs / 2)
  const { commandTarget, splitCommand } = await import('@joust/arena')
  const argv = splitCommand(command)
  if (!argv.ok) return err(`--exec: ${argv.error}`)
  return ok({
    about: { kind: 'command', name: withoutSecretValues(command) },
    make: () => ({
      target: commandTarget({ command, cwd: io.cwd, ...(prompt && { prompt }), ...(timeoutMs && { timeoutMs }) }),
    }),
  })
}

async function planSelfPlay({ wire = {} }: RunOptions): Planned {
  const name = Object.entries(wire).map(([client, server]) => `${client}=${server}`)
  return ok({ about: { kind: 'self-play', name: name.join(' ') }, make: () => ({ wire }) })
}

/** An address without what may be secret: user, password and query. Anything else is a command. */
function withoutSecrets(place: string): string {
  if (!isUrl(place)) return withoutSecretValues(place)
  const { origin, pathname } = new URL(place)
  return `${origin}${pathname}`
}

/** A command line with the values of options hidden that are called keys, tokens, secrets or passwords. */
function withoutSecretValues(command: string): string {
  return command.replaceAll(/(--?[\w-]*(?:key|token|secret|password)[\w-]*)([= ]+)(?!-)\S+/gi, '$1$2[hidden]')
}
