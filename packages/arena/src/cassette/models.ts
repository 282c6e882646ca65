/** The models of a runtime, recorded or replayed. */
import type { Agent } from '@joust/agentformat'
import {
  type Environment,
  type LanguageModel,
  type ModelBinding,
  type ModelProblem,
  type ModelResolver,
  type RuntimeOptions,
  resolveModel,
} from '@joust/runtime'
import { err, ok, own, type Result } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import type { Cassette } from './open-cassette.ts'

/** A resolver to use in place of `models`. A replay does not resolve models, so it needs no key. */
export function recordedModels(
  models: RuntimeOptions['models'],
  cassette: Cassette,
  env: Environment = {},
): ModelResolver {
  return async (reference, agent) => {
    if (cassette.mode === 'replay') {
      const recorded = cassette.recorded(reference)
      if (recorded !== undefined) return recorded
      throw new ArenaError('recording_missing', `no recorded calls of ${reference}`)
    }
    const bound = await boundTo(models, reference, agent)
    if (typeof bound === 'object') return cassette.model(bound, reference)
    const model = await resolveModel(bound ?? reference, env)
    // The runtime reports models that cannot be resolved.
    return model.ok ? cassette.model(model.value, reference) : bound
  }
}

/** One model by its reference, recorded or replayed. */
export async function recordedModel(
  reference: string,
  cassette: Cassette,
  env: Environment,
): Promise<Result<LanguageModel, ModelProblem>> {
  if (cassette.mode === 'replay') {
    const recorded = cassette.recorded(reference)
    if (recorded !== undefined) return ok(recorded)
    return err({ code: 'config_invalid', message: `no recorded calls of ${reference}` })
  }
  const model = await resolveModel(reference, env)
  return model.ok ? ok(cassette.model(model.value, reference)) : model
}

/** Looks a model up like the runtime: by the whole reference, then by `model` as written in the document. */
async function boundTo(
  models: RuntimeOptions['models'],
  reference: string,
  agent: Agent,
): Promise<ModelBinding | undefined> {
  if (typeof models === 'function') return models(reference, agent)
  const { config } = agent.document.execution_policy
  const written = own(config, 'model')
  const key = [reference, written].find((name) => typeof name === 'string' && Object.hasOwn(models ?? {}, name))
  return typeof key === 'string' ? models?.[key] : undefined
}
