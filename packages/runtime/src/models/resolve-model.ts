/** From a reference to a model: simulations, then the providers that are built in. */
import type { Agent, ReactConfig } from '@joust/agentformat'
import { defined, didYouMean, err, messageOf, ok, type Result } from '@joust/source'
import { RunFailure } from '../model/errors.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { ModelBinding, RuntimeOptions } from '../model/options.ts'
import { type Provider, type ProviderSettings, providers, SIMULATION, simulations } from './providers.ts'

/** Where keys and base addresses are looked up. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Why there is no model. */
export interface ModelProblem {
  readonly code: 'missing_key' | 'config_invalid'
  readonly message: string
}

const SCRIPTED = 'scripted'

/** Finds the model of a reference such as `openai/gpt-x` or `sim/cautious`. */
export async function resolveModel(
  reference: string | ModelReference,
  env: Environment,
): Promise<Result<LanguageModel, ModelProblem>> {
  const asked = typeof reference === 'string' ? parseReference(reference) : reference
  const fault = referenceFault(asked)
  if (fault !== undefined) return invalid(fault)
  const { provider: name = '', model } = asked
  const make = name === SIMULATION ? own(simulations, model) : undefined
  if (make !== undefined) return ok(await make())
  const provider = own(providers, name)
  // The only model without an entry in one of the tables.
  if (provider === undefined) return invalid('sim/scripted needs a script: bind a scripted model under this reference')
  const settings = settingsOf(provider, name, env)
  return settings.ok ? ok(await provider.model(model, settings.value)) : settings
}

/** Why a reference can never be resolved, whatever the environment; undefined when it can. */
export function referenceFault({ provider: name, model, text }: ModelReference): string | undefined {
  if (name === undefined)
    return `the model ${JSON.stringify(text)} has no provider; write provider/model, for example openai/${text}`
  if (model === '') return `the model reference ${JSON.stringify(text)} has no model after the slash`
  if (name !== SIMULATION && own(providers, name) === undefined)
    return `there is no model provider ${JSON.stringify(name)}; there are ${known()}.${didYouMean(name, names())}`
  const all = [...Object.keys(simulations), SCRIPTED]
  if (name !== SIMULATION || all.includes(model)) return undefined
  return `there is no simulated model ${JSON.stringify(model)}; there are ${all.join(', ')}.${didYouMean(model, all)}`
}

function settingsOf(provider: Provider, name: string, env: Environment): Result<ProviderSettings, ModelProblem> {
  const apiKey = provider.keys.map((key) => set(env, key)).find((key) => key !== undefined)
  if (apiKey === undefined && provider.keyOptional !== true) {
    return err({ code: 'missing_key', message: `${name} needs a key: set ${provider.keys.join(' or ')}` })
  }
  const given = provider.baseUrls.find((variable) => set(env, variable) !== undefined)
  const address = given === undefined ? undefined : set(env, given)
  if (address === undefined && provider.baseUrlRequired === true) {
    return invalid(`${name} needs an address: set ${provider.baseUrls.join(' or ')}`)
  }
  const baseURL = address === undefined ? undefined : baseUrlOf(address, provider.basePath)
  if (baseURL === null) return invalid(`${given} is not an http or https address: ${JSON.stringify(address)}`)
  return ok(defined({ apiKey, baseURL }))
}

/** A base address without a path gets the provider's usual one; null for what is not an address. */
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

function names(): string[] {
  return [...Object.keys(providers), SIMULATION]
}

function known(): string {
  return names().join(', ')
}

function invalid(message: string): Result<never, ModelProblem> {
  return err({ code: 'config_invalid', message })
}

interface ModelReference {
  /** Absent when the document does not say. */
  readonly provider?: string
  readonly model: string
  /** `provider/model`, or the model alone. */
  readonly text: string
}

/** Reads the two fields. `model: openai/gpt-x` alone is the same as `gpt-x` with `provider: openai`. */
export function modelReference({ provider, model }: Pick<ReactConfig, 'provider' | 'model'>): ModelReference {
  if (provider === undefined || provider === '' || model.startsWith(`${provider}/`)) return parseReference(model)
  return { provider, model, text: `${provider}/${model}` }
}

/** Reads `provider/model`; what follows the first slash may hold more of them. */
export function parseReference(text: string): ModelReference {
  const slash = text.indexOf('/')
  return slash < 1 ? { model: text, text } : { provider: text.slice(0, slash), model: text.slice(slash + 1), text }
}

/** Finds the model, or rejects with a `RunFailure` that names the missing key, provider or reference. */
export async function modelOf(
  agent: Agent,
  config: Pick<ReactConfig, 'provider' | 'model'>,
  options: Pick<RuntimeOptions, 'models' | 'env'>,
  path: readonly string[],
): Promise<LanguageModel> {
  const reference = modelReference(config)
  const bound = await boundModel(reference.text, config.model, agent, options, path)
  if (typeof bound === 'object') return bound
  const found = await resolveModel(bound ?? reference, options.env ?? {})
  if (found.ok) return found.value
  throw new RunFailure({ ...found.error, agent: path })
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
    const message = `the host found no model for ${JSON.stringify(reference)}: ${messageOf(thrown)}`
    throw new RunFailure({ code: 'config_invalid', message, agent: path })
  }
}
