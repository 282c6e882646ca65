/** A target's model proxy: `--with-model`, `--model-env`, `--model-upstream`, `--model-listen`, `--no-model-proxy`. */
import { isLoopback } from '@joust/io'
import { type RunRecording, simulated } from '@joust/models'
import type { LanguageModel } from '@joust/runtime'
import { err, isList, isRecord, ok, type Result, type Value } from '@joust/source'
import type { ModelAccessOptions, ModelHooks, ModelRoute, OpenModelAccess, Preset, ServedModel } from '@joust/targets'
import { optionName } from '../options/option.ts'
import type { RunOptions } from '../options/run.ts'
import type { ChosenTarget } from '../project/choose.ts'
import type { Serve } from '../project/serve.ts'
import { type Io, tell } from '../terminal/io.ts'

/** The model access of a target; empty if the agent calls its model directly. */
export interface PlannedAccess {
  readonly open?: OpenModelAccess
  /** The access for runs with a replaced model; absent if the model cannot be replaced. */
  readonly replace?: OpenModelAccess
  /** The proxy at a fixed address, which listens while the suite runs. */
  readonly served?: ServedModel
}

interface ProxiedTarget extends Pick<ChosenTarget, 'env'> {
  readonly preset?: Preset
  /** Texts that may contain `{model_url}`. */
  readonly texts?: readonly Value[]
  /** True for an agent at fixed addresses, for which the proxy also has a single address. */
  readonly isRunning?: boolean
  /** The processes of an agent at fixed addresses, if Joust starts it. */
  readonly serve?: Serve
}

/** Plans the model access of a target that does not run in this process. */
export async function planModelAccess(
  options: RunOptions,
  { env: own = {}, preset, texts = [], isRunning = false, serve }: ProxiedTarget,
  io: Io,
): Promise<Result<PlannedAccess, string>> {
  const { withModel, modelUpstream, modelListen, replay } = options
  const { modelRoutes, modelVariables } = await import('@joust/targets')
  const processes = serve?.processes ?? []
  const isNamed = [...texts, own, ...processes.flatMap(textsOfProcess)].some(namesAddress)
  const isStarted = !isRunning || serve !== undefined
  const defaults = withModel === undefined || !isStarted ? [] : modelVariables.map(({ name }) => name)
  const names = options.modelEnv.length > 0 ? options.modelEnv : (preset?.model_proxy?.env ?? defaults)
  const isSet = isStarted && (names.length > 0 || modelUpstream !== undefined)
  const isPointed = isNamed || isSet || (isRunning && modelListen !== undefined)
  if (!isPointed) {
    const unseen = unobserved(options, isStarted ? POINT : POINT_RUNNING)
    return unseen.ok && isStarted && serve === undefined ? ok(await replaceable(unseen.value)) : unseen
  }
  const written = Object.assign({}, own, ...processes.map((one) => one.env))
  const setValue = (name: string): string | undefined => {
    const value: string | undefined = written[name]
    return value === undefined || namesAddress(value) ? io.env[name] : value
  }
  const upstream = modelUpstream ?? preset?.model_proxy?.upstream
  const isAnswered = withModel !== undefined || replay !== undefined
  const routes = modelRoutes({ env: names, ...(upstream !== undefined && { upstream }) }, setValue, !isAnswered)
  if (!routes.ok) return routes
  const isLoggedIn = options.useHome && preset?.logins !== undefined
  if (isLoggedIn && !isAnswered && !routes.value.some(({ keys }) => keys.some((key) => setValue(key)))) {
    if (!options.quiet) tell(io, `${preset.name} ${LOGGED_IN}`)
    return unobserved(options, `${preset.name} ${LOGGED_IN}`)
  }
  if (options.noModelProxy) {
    const refused = unobserved(options, 'remove --no-model-proxy')
    if (!refused.ok) return refused
  }
  return openAccess(options, routes.value, serve !== undefined, io)
}

/** Adds access for runs with a replaced model, in which the known variables direct a started agent to the proxy. */
async function replaceable(access: PlannedAccess): Promise<PlannedAccess> {
  const { createModelAccess, modelRoutes, modelVariables } = await import('@joust/targets')
  const routes = modelRoutes({ env: modelVariables.map(({ name }) => name) }, () => undefined)
  return routes.ok ? { ...access, replace: createModelAccess({ routes: routes.value }) } : access
}

async function openAccess(
  options: RunOptions,
  routes: readonly [ModelRoute, ...ModelRoute[]],
  isServed: boolean,
  io: Io,
): Promise<Result<PlannedAccess, string>> {
  const { withModel, modelListen, noModelProxy: direct, dryRun } = options
  const { createModelAccess, createServedModel } = await import('@joust/targets')
  const answer = withModel === undefined || dryRun ? ok(undefined) : await answerOf(withModel, options, io)
  if (!answer.ok) return answer
  const answering = answer.value === undefined ? {} : { answer: answer.value }
  if (direct || (modelListen === undefined && !isServed))
    return ok(accessOf(createModelAccess({ routes, direct, ...answering }), direct))
  if (modelListen !== undefined && !isLoopback(modelListen.host ?? '127.0.0.1'))
    return err(`--model-listen expects an address on loopback, not ${modelListen.host}`)
  const isKeyless = withModel !== undefined || options.replay !== undefined
  const origins = new Set(routes.map(({ address }) => new URL(address).origin))
  if (!isKeyless && origins.size > 1) return err(ONE_MODEL)
  const served = createServedModel({ port: 0, ...modelListen, routes, isKeyless, ...answering })
  return ok({ ...accessOf(served.access), served })
}

/** Creates the access. A model that the agent calls directly cannot be replaced. */
function accessOf(open: OpenModelAccess, isDirect = false): PlannedAccess {
  return { open, ...(!isDirect && { replace: open }) }
}

const ONE_MODEL =
  'the variables of --model-env belong to several model APIs; an agent with a single model proxy address can use only one'

function textsOfProcess({ command, env = {} }: Serve['processes'][number]): Value[] {
  return [...command, ...Object.values(env)]
}

function namesAddress(value: Value): boolean {
  if (typeof value === 'string') return value.includes('{model_url}')
  const parts = isList(value) ? value : isRecord(value) ? Object.values(value) : []
  return parts.some(namesAddress)
}

/** Options that only work if model calls are observed. For `ofCalls`, those of a judge are enough. */
const ofCalls = ['budgetTokens', 'budgetCalls', 'record', 'replay'] as const
const ofProxy = ['withModel', 'modelUpstream', 'price'] as const

function unobserved(options: RunOptions, advice: string): Result<PlannedAccess, string> {
  const needed = options.judge === undefined ? [...ofCalls, ...ofProxy] : ofProxy
  const keys = options.noModelProxy ? needed.filter((key) => key !== 'modelUpstream') : needed
  const key = keys.find((one) => options[one] !== undefined)
  return key === undefined
    ? ok({})
    : err(`${optionName(key)} needs a target whose model calls pass through the model proxy: ${advice}`)
}

const POINT = 'use {model_url}, --model-env or --with-model'
const POINT_RUNNING = 'use --model-listen, or {model_url} in the request of an http target'
const LOGGED_IN = 'logs in without a key: its model is called directly and not observed'

async function answerOf(reference: string, { ownTools, quiet }: RunOptions, io: Io) {
  const { resolveModel } = await import('@joust/runtime')
  const resolved = await resolveModel(reference, io.env)
  if (!resolved.ok) return err(`--with-model ${reference}: ${resolved.error.message}`)
  if (ownTools && !quiet)
    tell(io, 'warning: with --own-tools, any text that the model reads can trigger every tool of the agent')
  return ok(answerWith(resolved.value, { ownTools, name: reference }))
}

function answerWith(
  model: LanguageModel,
  about: { readonly ownTools?: boolean; readonly name?: string } = {},
): NonNullable<ModelAccessOptions['answer']> {
  return (allowTool) => simulated(model, { ...about, allowTool })
}

/** A model that replaces the agent's model in a run, both in process and through the proxy. */
export interface ReplacedModel extends Pick<ModelHooks, 'answer'> {
  readonly replacement: LanguageModel
}

/** Returns the simulated model that obeys everything, to show that an attack can work in a harness. */
export async function obedientModel(): Promise<ReplacedModel> {
  const { credulousModel } = await import('@joust/sim')
  const replacement = credulousModel()
  return { replacement, answer: answerWith(replacement) }
}

/** Returns the model access as a target option, with the listeners and the recording of a run. */
export function openModelOption(
  access: PlannedAccess,
  hooks: ModelHooks | undefined,
): { readonly openModel?: OpenModelAccess } {
  const open = hooks?.answer === undefined ? access.open : access.replace
  return open === undefined ? {} : { openModel: (arena) => open(arena, hooks) }
}

export function hooksWith(hooks: ModelHooks | undefined, recording: RunRecording | undefined): ModelHooks {
  if (recording === undefined) return hooks ?? {}
  const { source, onExchange } = recording
  return { ...hooks, source, onExchange }
}

/** Describes the base URL to set in the configuration of a running agent. */
export function servedModelText({ url, origin }: ServedModel, { withModel }: Pick<RunOptions, 'withModel'>): string {
  const places = withModel !== undefined ? `${origin}/v1 (OpenAI) or ${origin} (Anthropic, Gemini)` : url
  return `model proxy: set the base URL of the agent's model to ${places} once; runs are sequential\n`
}
