import type { Agent } from '@joust/agentformat'
import type { AttackOptions } from '@joust/arena'
import type { KnownFacts, ResultTarget } from '@joust/results'
import type { RuntimeOptions } from '@joust/runtime'
import { defined, err, isList, messageOf, ok, type Result } from '@joust/source'
import type { ModelHooks } from '@joust/targets'
import { readApprovals } from '../agent/approvals.ts'
import { bindRuntime } from '../agent/bind-runtime.ts'
import { openAgent } from '../agent/open-agent.ts'
import type { RunOptions } from '../options/run.ts'
import type { TargetKind } from '../options/targets.ts'
import { isUrl } from '../options/values.ts'
import type { ChosenTarget } from '../project/choose.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell, WITHOUT_CODE, wrongUsage } from '../terminal/io.ts'
import { planAcp, planCommand } from './command.ts'
import { expandHeaders, expandText } from './expand-variables.ts'
import { planGateway } from './gateway.ts'
import { planFunction, planHttp } from './http-and-function.ts'
import { openModelOption, planModelAccess } from './model-access.ts'
import { areSimulated, type ModelUse, modelFaults } from './models.ts'
import type { DeclaredPeers } from './preview.ts'
import { withRecording } from './recordings.ts'
import { planServed, servedDetails } from './serve.ts'
import { shownPlace } from './shown-command.ts'
import { type Planned, servedPlan, type TargetPlan } from './target-plan.ts'
import { planThrough } from './through.ts'

/** Creates a plan from the options; returns the exit code after printing errors. */
export async function planTarget(target: ChosenTarget, io: Io): Promise<Result<TargetPlan, number>> {
  const { options } = target
  const token = expandText('--listen-token', options.listenToken, io)
  if (!token.ok) return err(wrongUsage([token.error], io))
  if (io.confined?.mayRunCode === false && runsCode(target)) return err(wrongUsage([WITHOUT_CODE], io))
  const plan = await plans[target.kind](options, target, io)
  if (!plan.ok) return err(typeof plan.error === 'number' ? plan.error : wrongUsage([plan.error], io))
  const through = await planThrough(options, io)
  if (!through.ok) return through
  const { make, about, ...rest } = plan.value
  return ok({
    ...rest,
    ...defined({ through: through.value }),
    about: { ...named(about, target.name), ...placeOf(target), ...(options.price && { price: options.price }) },
    make: async (runtime, recording, agent, model) => ({
      ...withRecording(await make(runtime, recording, agent, model), recording),
      listen: guarded(options.listen, token.value, options.allowHost),
      ...defined({ through: through.value }),
      ...(options.wire && { wire: options.wire }),
      ...(options.mcpVersion && { mcpVersion: options.mcpVersion }),
      ...(options.strict && { strict: true }),
      ...(options.channels.length > 0 && { known: { channels: declaredChannels(options) } }),
    }),
  })
}

function declaredChannels({ channels }: RunOptions): NonNullable<KnownFacts['channels']> {
  return Object.fromEntries(channels.map((channel) => [channel, 'declared']))
}

/** True for a target that runs code. Code in bindings is refused when the bindings are read. */
function runsCode({ kind, options, serve }: ChosenTarget): boolean {
  const starts = Object.values(options.target ?? {}).some((place) => !isUrl(place))
  return starts || options.through !== undefined || serve !== undefined || ['command', 'acp', 'function'].includes(kind)
}

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

function placeOf({ kind, name, options, project }: ChosenTarget): Pick<ResultTarget, 'place'> {
  if (kind === 'agent' && options.agent !== undefined) return { place: { file: options.agent } }
  if (name === undefined || project === undefined) return {}
  const { line } = project.source.locateKey(['targets', name]) ?? {}
  return { place: { file: project.name, ...(line !== undefined && { line }) } }
}

function named(about: ResultTarget, name: string | undefined): ResultTarget {
  if (name === undefined) return about
  return { ...about, name, details: { ...about.details, [about.kind]: about.name } }
}

const plans: { readonly [kind in TargetKind]: (options: RunOptions, target: ChosenTarget, io: Io) => Planned } = {
  agent: planAgent,
  model: planModel,
  endpoint: planEndpoints,
  command: planCommand,
  acp: planAcp,
  http: planHttp,
  function: planFunction,
  'self-play': planSelfPlay,
  none: planListening,
}

async function planAgent(options: RunOptions, { project }: ChosenTarget, io: Io): Planned {
  const file = options.agent ?? ''
  const approve = await readApprovals(options.approve, io)
  if (!approve.ok) return approve
  const opened = await openAgent(file, io, { quiet: true })
  // Already printed; the exit code is wrong usage, because 1 would mean "exploited".
  if (!opened.ok) return err(exitCodes.usage)
  const { model, script, bind, inProcess } = options
  const named = { approve: 'none', model, script } as const
  const { agent } = opened.value
  const bound = await bindRuntime(named, project, io, { agent, withoutCode: options.dryRun })
  if (!bound.ok) return err(exitCodes.usage)
  const { agentTarget, aivssProfile } = await import('@joust/targets/agent')
  const aivss = aivssProfile(agent)
  for (const problem of aivss.problems) tell(io, `${file}: metadata.annotations: ${problem}`)
  const { id, version } = agent.document.metadata
  const details = { file, version, ...(model && { model }) }
  const preflight = !(await areSimulated(usesOf(agent), bound.value.models))
  const policies = referencesOf(bound.value)
  if (!policies.ok) return err(policies.error)
  return ok({
    policies: policies.value,
    about: { kind: 'agent', name: id, details, aivss: aivss.profile },
    agent,
    texts: opened.value.texts,
    declared: declaredBy(agent),
    lacks: (needs) => agentTarget({ agent }).lacks?.(needs) ?? [],
    replacesModel: true,
    models: usesOf(agent).map(({ reference }) => reference),
    faults: () => modelFaults(usesOf(agent), bound.value.models, io),
    make: (runtime, _, other = agent, { replacement } = {}) => ({
      target: agentTarget({
        agent: other,
        runtime: { ...bound.value, ...runtime },
        bind,
        approve: approve.value,
        inProcess,
        preflight,
        ...defined({ prompt: options.prompt, replacement }),
      }),
    }),
  })
}

function referencesOf({ governance }: RuntimeOptions): Result<readonly string[], string> {
  try {
    return ok(governance?.references?.() ?? [])
  } catch (thrown) {
    return err(`the governance registry cannot be read: ${messageOf(thrown)}`)
  }
}

function declaredBy(agent: Agent): DeclaredPeers {
  const { mcp_servers = [], remote_agents = [] } = agent.document.action_space ?? {}
  const children = [...agent.agents.values()].map(declaredBy)
  return {
    mcp_servers: [...mcp_servers.map(({ alias }) => alias), ...children.flatMap((child) => child.mcp_servers)],
    remote_agents: [...remote_agents.map(({ alias }) => alias), ...children.flatMap((child) => child.remote_agents)],
  }
}

/** Returns the models in the agent graph. Agents with an action space need models that can call tools. */
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

async function planModel(options: RunOptions, { project }: ChosenTarget, io: Io): Planned {
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
  const runtimeOptions: Partial<RuntimeOptions> = bound.value
  // A replay calls no model, so it needs no key; neither does a bound model.
  const isBound = options.replay !== undefined || runtimeOptions.models !== undefined
  const resolved = isBound ? ok(undefined) : await resolveModel(model, io.env)
  if (!resolved.ok) return err(`--model ${model}: ${resolved.error.message}`)
  const { modelTarget } = await import('@joust/targets/agent')
  const preflight = !(await areSimulated([{ reference: model, tool: false }], runtimeOptions.models))
  return ok({
    about: { kind: 'model', name: model },
    lacks: (needs) => modelTarget({ model }).lacks?.(needs) ?? [],
    replacesModel: true,
    faults: (bringsTools) => modelFaults([{ reference: model, tool: bringsTools }], runtimeOptions.models, io),
    make: (runtime, _, __, { replacement } = {}) => ({
      target: modelTarget({
        model,
        runtime: { env: io.env, ...runtimeOptions, ...runtime },
        inProcess,
        approve: approve.value,
        preflight,
        ...defined({ prompt: options.prompt, replacement }),
      }),
    }),
  })
}

async function planEndpoints(options: RunOptions, chosen: ChosenTarget, io: Io): Planned {
  const { home, serve } = chosen
  const { target = {}, header, token, prompt, dryRun, passEnv, useHome, wire } = options
  // Self-play needs no endpoint.
  const process = { passEnv, useHome, environment: io.env, preflight: wire === undefined }
  if (token !== undefined && Object.hasOwn(header, 'authorization'))
    return err('--token cannot be used with --header authorization: both set the same header')
  const bearer = dryRun ? ok(undefined) : expandText('--token', token, io)
  if (!bearer.ok) return bearer
  const filled = dryRun ? ok({}) : expandHeaders(header, io)
  if (!filled.ok) return filled
  const headers = { ...filled.value, ...(bearer.value !== undefined && { authorization: `Bearer ${bearer.value}` }) }
  const { endpointTarget, splitCommand } = await import('@joust/targets')
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
  const gatewayPlan = await planGateway(options, serve !== undefined)
  const commands = Object.values(target).filter((place) => !isUrl(place))
  const isCommand = commands.length > 0 && commands.length === Object.keys(target).length
  const isRunning = !isCommand || options.modelListen !== undefined
  const access = await planModelAccess(options, { texts: commands, isRunning, ...defined({ serve }) }, io)
  if (!access.ok) return access
  const { served } = access.value
  const { gateway } = gatewayPlan
  // A command gets the variables itself.
  const ofAgent = isRunning ? options : { ...options, modelEnv: [] }
  const service = await planServed(ofAgent, chosen, Object.values(target).filter(isUrl), { gateway, model: served }, io)
  if (!service.ok) return service
  const common = { ...endpoints, ...process, ...gatewayPlan, ...(prompt && { prompt }) }
  const name = Object.entries(target).map(([protocol, place]) => `${protocol}=${shownPlace(place)}`)
  const about = { kind: 'endpoint', name: name.join(' '), ...servedDetails(chosen) } as const
  const make = (hooks?: ModelHooks) => endpointTarget({ ...common, ...openModelOption(access.value, hooks) })
  const replacesModel = access.value.replace !== undefined
  return ok(servedPlan(about, make, { service: service.value, gateway, served, replacesModel }))
}

async function planSelfPlay({ wire = {} }: RunOptions): Planned {
  const name = Object.entries(wire).map(([client, server]) => `${client}=${server}`)
  return ok({ about: { kind: 'self-play', name: name.join(' ') }, make: () => ({}) })
}

async function planListening(options: RunOptions, _: ChosenTarget, io: Io): Planned {
  const about = { kind: 'none', name: 'any client' } as const
  const access = await planModelAccess(options, { isRunning: true }, io)
  if (!access.ok) return access
  const { served, replace } = access.value
  if (served === undefined) return ok({ about, make: () => ({}) })
  const { endpointTarget } = await import('@joust/targets')
  const make = (hooks?: ModelHooks) => endpointTarget(openModelOption(access.value, hooks))
  const replacesModel = replace !== undefined
  return ok(servedPlan(about, make, { served, replacesModel, service: undefined, gateway: undefined }))
}
