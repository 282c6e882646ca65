/** The model of an agent: what the host binds to its reference, else what is built in. */
import type { Agent, ReactConfig } from '@joust/agentformat'
import { messageOf, RunFailure } from '../model/errors.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { ModelBinding, RuntimeOptions } from '../model/options.ts'
import { modelReference, resolveModel } from './resolve-model.ts'

/** Finds the model, or rejects with a `RunFailure` that names the key, the provider or the reference that is missing. */
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
