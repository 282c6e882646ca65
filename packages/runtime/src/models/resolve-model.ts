/** Resolves model references: simulated models first, then built-in providers. */
import type { Agent, ReactConfig } from '@joust/agentformat'
import { defined, didYouMean, err, messageOf, ok, type Result } from '@joust/source'
import { RunFailure } from '../model/errors.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { ModelBinding, ModelTransport, RuntimeOptions, ServedModel } from '../model/options.ts'
import { adaptModel } from './adapt-model.ts'
import {
  compatibleModel,
  type Provider,
  type ProviderSettings,
  providers,
  SIMULATION,
  simulations,
} from './providers.ts'

/** Environment variables for API keys and base URLs. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface ModelProblem {
  readonly code: 'missing_key' | 'config_invalid'
  readonly message: string
}

const SCRIPTED = 'scripted'

/**
 * Resolves a model reference such as `openai/gpt-x` or `sim/cautious`.
 *
 * @example
 * const resolved = await resolveModel('sim/cautious', process.env)
 */
export async function resolveModel(
  reference: string | ModelReference,
  env: Environment,
  transport?: ModelTransport,
): Promise<Result<LanguageModel, ModelProblem>> {
  return resolveOnce(reference, env, transport, new Map())
}

/** Cached HTTP models, by reference and settings. */
export type ResolvedModels = Map<string, LanguageModel>

async function resolveOnce(
  reference: string | ModelReference,
  env: Environment,
  transport: ModelTransport | undefined,
  known: ResolvedModels,
): Promise<Result<LanguageModel, ModelProblem>> {
  const unresolved = typeof reference === 'string' ? parseReference(reference) : reference
  const inferred = unresolved.provider === undefined ? inferProvider(unresolved, env) : ok(unresolved)
  if (!inferred.ok) return inferred
  const parsed = inferred.value
  const problem = referenceProblem(parsed)
  if (problem !== undefined) return invalid(problem)
  const { provider: name = '', model } = parsed
  const create = name === SIMULATION ? own(simulations, model) : undefined
  if (create !== undefined) return ok(await create())
  const provider = own(providers, name)
  // Only `sim/scripted` is in neither table.
  if (provider === undefined) return invalid('sim/scripted needs a script; bind a scripted model to this reference')
  const settings = settingsOf(provider, name, transport?.isLive === false ? withoutProvider(provider, env) : env)
  if (!settings.ok) return settings
  const key = JSON.stringify([name, model, settings.value])
  const resolved =
    known.get(key) ?? (await provider.model(model, { ...settings.value, ...defined({ fetch: transport?.fetch }) }))
  known.set(key, resolved)
  return ok(resolved)
}

/** Infers the provider from the model name; otherwise uses the only configured provider. */
function inferProvider(reference: ModelReference, env: Environment): Result<ModelReference, ModelProblem> {
  const { model, text } = reference
  const byName = Object.entries(providers).find(([, { prefixes }]) => prefixes?.test(model) === true)?.[0]
  const ready = setProviders(env)
  const name = byName ?? (ready.length === 1 ? ready[0] : undefined)
  if (name !== undefined) return ok({ provider: name, model, text })
  const configured = ready.length === 0 ? 'no key is set' : `set up: ${ready.join(', ')}`
  const example = `${ready[0] ?? 'openai'}/${text}`
  return invalid(
    `model ${JSON.stringify(text)} has no provider, and ${configured}; expected provider/model, such as ${example}`,
  )
}

/** Returns the configured providers: those with a key, or with a URL if the key is optional. Each key counts once. */
function setProviders(env: Environment): string[] {
  const variables = new Set<string>()
  return Object.entries(providers).flatMap(([name, { keys, keyOptional, baseUrls, baseUrlRequired }]) => {
    const key = keys.find((variable) => set(env, variable) !== undefined)
    const address = baseUrls.find((variable) => set(env, variable) !== undefined)
    const isSet =
      (key !== undefined || (keyOptional === true && address !== undefined)) && (!baseUrlRequired || address)
    const variable = key ?? address ?? ''
    if (!isSet || variables.has(variable)) return []
    variables.add(variable)
    return [name]
  })
}

/** Describes the problem with a reference; undefined if it may be resolved. */
export function referenceProblem({ provider: name, model, text }: ModelReference): string | undefined {
  if (name === undefined)
    return `model ${JSON.stringify(text)} has no provider, expected provider/model, for example openai/${text}`
  if (model === '') return `model reference ${JSON.stringify(text)} has no model name after the slash`
  if (name !== SIMULATION && own(providers, name) === undefined) {
    const available = [...Object.keys(providers), SIMULATION]
    return `unknown model provider ${JSON.stringify(name)}; available: ${available.join(', ')}.${didYouMean(name, available)}`
  }
  const all = [...Object.keys(simulations), SCRIPTED]
  if (name !== SIMULATION || all.includes(model)) return undefined
  return `unknown simulated model ${JSON.stringify(model)}; available: ${all.join(', ')}.${didYouMean(model, all)}`
}

function settingsOf(provider: Provider, name: string, env: Environment): Result<ProviderSettings, ModelProblem> {
  const apiKey = provider.keys.map((key) => set(env, key)).find((key) => key !== undefined)
  if (apiKey === undefined && provider.keyOptional !== true) {
    const others = setProviders(env)
    const configured = others.length === 0 ? '' : `; set up: ${others.join(', ')}`
    const message = `missing API key for ${name} (set ${provider.keys.join(' or ')})${configured}`
    return err({ code: 'missing_key', message })
  }
  const variable = provider.baseUrls.find((name) => set(env, name) !== undefined)
  const address = variable === undefined ? provider.address : set(env, variable)
  if (address === undefined && provider.baseUrlRequired === true)
    return invalid(`missing base URL for ${name} (set ${provider.baseUrls.join(' or ')})`)
  const baseURL = address === undefined ? undefined : baseUrlOf(address, provider.basePath)
  if (baseURL === null) return invalid(`${variable} is not an http or https URL: ${JSON.stringify(address)}`)
  return ok(defined({ apiKey, baseURL }))
}

/** Sets placeholders for the key and base URL, which a replay does not use. */
function withoutProvider({ keys: [key = ''], baseUrls: [address = ''] }: Provider, env: Environment): Environment {
  return { ...env, [key]: 'replay', [address]: 'http://replay.invalid/v1' }
}

/** Appends the provider's default path to a base URL without a path. Returns null for an invalid URL. */
function baseUrlOf(address: string, path = ''): string | null {
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const plain = address.replace(/\/+$/, '')
  return url.pathname === '/' && url.search === '' ? `${plain}${path}` : plain
}

function set(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function invalid(message: string): Result<never, ModelProblem> {
  return err({ code: 'config_invalid', message })
}

interface ModelReference {
  /** Absent if the document does not specify one. */
  readonly provider?: string
  readonly model: string
  /** The complete reference: `provider/model`, or only the model. */
  readonly text: string
}

/** Combines both fields. `model: openai/gpt-x` is the same as `model: gpt-x` with `provider: openai`. */
export function modelReference({ provider, model }: Pick<ReactConfig, 'provider' | 'model'>): ModelReference {
  if (provider === undefined || provider === '' || model.startsWith(`${provider}/`)) return parseReference(model)
  return { provider, model, text: `${provider}/${model}` }
}

/** Parses `provider/model`. The model name may contain further slashes. */
export function parseReference(text: string): ModelReference {
  const slash = text.indexOf('/')
  return slash < 1 ? { model: text, text } : { provider: text.slice(0, slash), model: text.slice(slash + 1), text }
}

/** Resolves an agent's model; rejects with a `RunFailure`. `known` caches models for later runs. */
export async function modelOf(
  agent: Agent,
  config: Pick<ReactConfig, 'provider' | 'model'>,
  options: Pick<RuntimeOptions, 'models' | 'env' | 'modelTransport'>,
  path: readonly string[],
  known: ResolvedModels = new Map(),
): Promise<LanguageModel> {
  const reference = modelReference(config)
  const bound = await boundModel(reference.text, config.model, agent, options, path)
  if (bound !== undefined && typeof bound !== 'string') {
    if (isServed(bound)) return servedModel(bound, options.modelTransport)
    const adapted = adaptModel(bound)
    if (adapted.ok) return adapted.value
    const message = `binding of model ${JSON.stringify(reference.text)}: ${adapted.error}`
    throw new RunFailure({ code: 'config_invalid', message, agent: path })
  }
  const resolved = await resolveOnce(bound ?? reference, options.env ?? {}, options.modelTransport, known)
  if (resolved.ok) return resolved.value
  throw new RunFailure({ ...resolved.error, agent: path })
}

function isServed(bound: object): bound is ServedModel {
  return typeof bound === 'object' && bound !== null && 'baseURL' in bound
}

function servedModel({ model, ...settings }: ServedModel, transport?: ModelTransport): Promise<LanguageModel> {
  return compatibleModel(model, { ...settings, ...defined({ fetch: transport?.fetch }) })
}

async function boundModel(
  reference: string,
  model: string,
  agent: Agent,
  { models }: Pick<RuntimeOptions, 'models'>,
  path: readonly string[],
): Promise<ModelBinding | undefined> {
  if (models === undefined) return undefined
  if (typeof models !== 'function') {
    const key = [reference, model].find((name) => Object.hasOwn(models, name))
    return key === undefined ? undefined : models[key]
  }
  try {
    return await models(reference, agent)
  } catch (thrown) {
    if (thrown instanceof RunFailure) throw thrown
    const message = `the host failed to resolve the model ${JSON.stringify(reference)}: ${messageOf(thrown)}`
    throw new RunFailure({ code: 'config_invalid', message, agent: path })
  }
}
