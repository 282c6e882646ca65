/** Who is attacked: turns the options into a target for each run. */
import type { Agent } from '@joust/agentformat'
import type { AttackOptions, ResultTarget } from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import type { RuntimeOptions } from '@joust/runtime'
import { err, isList, ok, type Result } from '@joust/source'
import { bindRuntime } from '../agent/bind-runtime.ts'
import { openAgent } from '../agent/open-agent.ts'
import type { RunOptions } from '../options/run.ts'
import type { TargetKind } from '../options/targets.ts'
import { isUrl } from '../options/values.ts'
import type { RunTarget } from '../project/choose.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, WITHOUT_CODE, wrongUsage } from '../terminal/io.ts'
import { readApprovals } from './approvals.ts'
import { onCassette } from './cassette.ts'
import { planAcp, planCommand } from './command.ts'
import { expandHeaders, expandText } from './expand-variables.ts'
import { planGateway } from './gateway.ts'
import { planFunction, planHttp } from './http-and-function.ts'
import { type ModelUse, modelFaults } from './models.ts'
import type { DeclaredPeers } from './preview.ts'
import { shownPlace } from './shown-command.ts'
import type { Planned, TargetPlan } from './target-plan.ts'

/** Makes a plan from the options; prints what is wrong with what they name. */
export async function planTarget(target: RunTarget, io: Io): Promise<Result<TargetPlan, number>> {
  const { options } = target
  const token = expandText('--listen-token', options.listenToken, io)
  if (!token.ok) return err(wrongUsage([token.error], io))
  if (io.confined?.mayRunCode === false && runsCode(target)) return err(wrongUsage([`it ${WITHOUT_CODE}`], io))
  const plan = await plans[target.kind](options, target, io)
  if (!plan.ok) return err(typeof plan.error === 'number' ? plan.error : wrongUsage([plan.error], io))
  const { make, about, ...rest } = plan.value
  return ok({
    ...rest,
    about: named(about, target.name),
    make: async (runtime, cassette, agent) => ({
      ...(await onCassette(await make(runtime, cassette, agent), cassette)),
      listen: guarded(options.listen, token.value, options.allowHost),
      ...(options.wire && { wire: options.wire }),
      ...(options.mcpVersion && { mcpVersion: options.mcpVersion }),
      ...(options.strict && { strict: true }),
    }),
  })
}

/** True for a target that is code itself; the code that bindings name is refused where they are read. */
function runsCode({ kind, options }: RunTarget): boolean {
  const starts = Object.values(options.target ?? {}).some((place) => !isUrl(place))
  return starts || ['command', 'acp', 'function'].includes(kind)
}

/** Where actors listen, and who may connect. */
function guarded(
  places: RunOptions['listen'],
  token: string | undefined,
  allowedHosts: readonly string[],
): NonNullable<AttackOptions['listen']> {
  const guard = { allowedHosts, ...(token !== undefined && { token }) }
  return Object.fromEntries(
    Object.entries(places).map(([actor, place]) => [actor, place === 'stdio' ? place : { ...place, ...guard }]),
  )
}

/** A target under the name that the user gave it; its default name becomes a detail. */
function named(about: ResultTarget, name: string | undefined): ResultTarget {
  if (name === undefined) return about
  return { ...about, name, details: { ...about.details, [about.kind]: about.name } }
}

const plans: { readonly [kind in TargetKind]: (options: RunOptions, target: RunTarget, io: Io) => Planned } = {
  agent: planAgent,
  model: planModel,
  endpoint: planEndpoints,
  command: planCommand,
  acp: planAcp,
  http: planHttp,
  function: planFunction,
  'self-play': planSelfPlay,
  none: async () => ok({ about: { kind: 'none', name: 'whoever connects' }, make: () => ({}) }),
}

async function planAgent(options: RunOptions, { project }: RunTarget, io: Io): Planned {
  const file = options.agent ?? ''
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const opened = await openAgent(file, io, { quiet: true })
  // What is wrong has been printed; here the command line is wrong, rather than an agent exploited.
  if (!opened.ok) return err(exitCodes.usage)
  const { model, script, bind, inProcess } = options
  const named = { approve: 'none', model, script } as const
  const { agent } = opened.value
  const bound = await bindRuntime(named, project, io, { agent, withoutCode: options.dryRun })
  if (!bound.ok) return err(exitCodes.usage)
  const { agentTarget } = await import('@joust/arena/agent')
  const { id, version } = agent.document.metadata
  const details = { file, version, ...(model && { model }) }
  return ok({
    about: { kind: 'agent', name: id, details },
    agent,
    texts: opened.value.texts,
    declared: declaredBy(agent),
    lacks: (needs) => agentTarget({ agent }).lacks?.(needs) ?? [],
    models: usesOf(agent).map(({ reference }) => reference),
    faults: () => modelFaults(usesOf(agent), bound.value.models, io),
    make: async (runtime, cassette, other = agent) => ({
      target: agentTarget({
        agent: other,
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

/** The models of the whole graph, as the documents name them; those of agents with an action space call tools. */
function usesOf({ document, agents }: Agent): ModelUse[] {
  const children = [...agents.values()].flatMap(usesOf)
  const { id, config } = document.execution_policy
  if (!('model' in config) || typeof config.model !== 'string') return children
  const { model, provider } = config
  const isWhole = typeof provider !== 'string' || model.startsWith(`${provider}/`)
  const spaces: readonly unknown[] = Object.values(document.action_space ?? {})
  const tool = id === 'agf.react' && spaces.some((space) => isList(space) && space.length > 0)
  return [{ reference: isWhole ? model : `${provider}/${model}`, tool }, ...children]
}

async function planModel(options: RunOptions, { project }: RunTarget, io: Io): Planned {
  const model = options.model ?? ''
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const { script, inProcess } = options
  const named = { approve: 'none', model, script } as const
  const bound =
    project === undefined && script === undefined
      ? ok({})
      : await bindRuntime(named, project, io, { agent: undefined, withoutCode: options.dryRun })
  if (!bound.ok) return bound
  const { resolveModel } = await import('@joust/runtime')
  const given: Partial<RuntimeOptions> = bound.value
  // A replay asks nobody, so it needs no key; neither does a model that is already bound.
  const known = options.replay !== undefined || given.models !== undefined
  const resolved = known ? ok(undefined) : await resolveModel(model, io.env)
  if (!resolved.ok) return err(`--model ${model}: ${resolved.error.message}`)
  const { modelTarget } = await import('@joust/arena/agent')
  return ok({
    about: { kind: 'model', name: model },
    lacks: (needs) => modelTarget({ model }).lacks?.(needs) ?? [],
    faults: (bringsTools) => modelFaults([{ reference: model, tool: bringsTools }], given.models, io),
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

async function planEndpoints(options: RunOptions, { home }: RunTarget, io: Io): Planned {
  const { target = {}, header, token, prompt, replay, dryRun, passEnv, useHome, wire } = options
  // Clients that are wired to servers of the document work even if nobody listens.
  const process = { passEnv, useHome, environment: io.env, preflight: wire === undefined }
  if (token !== undefined && Object.hasOwn(header, 'authorization'))
    return err('--token and --header authorization set the same header: give one of them')
  const isSent = replay === undefined && !dryRun
  const bearer = isSent ? expandText('--token', token, io) : ok(undefined)
  if (!bearer.ok) return bearer
  const filled = isSent ? expandHeaders(header, io) : ok({})
  if (!filled.ok) return filled
  const headers = { ...filled.value, ...(bearer.value !== undefined && { authorization: `Bearer ${bearer.value}` }) }
  const { endpointTarget, splitCommand } = await import('@joust/arena')
  const endpoints: Record<string, unknown> = {}
  for (const [protocol, place] of Object.entries(target)) {
    if (isUrl(place)) endpoints[protocol] = { url: place, headers }
    else {
      const argv = splitCommand(place)
      if (!argv.ok) return err(`--target ${protocol}: ${argv.error}`)
      const [command = '', ...args] = argv.value
      endpoints[protocol] = { command, args, cwd: home }
    }
  }
  const found = await planGateway(options)
  const common = { ...endpoints, ...process, ...found, ...(prompt && { prompt }) }
  const name = Object.entries(target).map(([protocol, place]) => `${protocol}=${shownPlace(place)}`)
  return ok({
    about: { kind: 'endpoint', name: name.join(' ') },
    ...(found.gateway && { gateway: found.gateway }),
    lacks: (needs) => endpointTarget(common).lacks?.(needs) ?? [],
    make: (_, cassette) => {
      const sending = cassette && { send: cassette.http(), preflight: cassette.mode === 'record' }
      return { target: endpointTarget({ ...common, ...sending }) }
    },
  })
}

async function planSelfPlay({ wire = {} }: RunOptions): Planned {
  const name = Object.entries(wire).map(([client, server]) => `${client}=${server}`)
  return ok({ about: { kind: 'self-play', name: name.join(' ') }, make: () => ({}) })
}
