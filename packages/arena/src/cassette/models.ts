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

/** What a runtime is bound to in place of `models`. In a replay nothing is looked up, so no key is needed. */
export function recordedModels(
  models: RuntimeOptions['models'],
  cassette: Cassette,
  env: Environment = {},
): ModelResolver {
  return async (reference, agent) => {
    if (cassette.mode === 'replay') {
      const recorded = cassette.recorded(reference)
      if (recorded !== undefined) return recorded
      throw new ArenaError('recording_missing', `no call of ${reference} was recorded`)
    }
    const bound = await boundTo(models, reference, agent)
    if (typeof bound === 'object') return cassette.model(bound, reference)
    const found = await resolveModel(bound ?? reference, env)
    // What cannot be found is left to the runtime, which says why.
    return found.ok ? cassette.model(found.value, reference) : bound
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
    return err({ code: 'config_invalid', message: `no call of ${reference} was recorded` })
  }
  const found = await resolveModel(reference, env)
  return found.ok ? ok(cassette.model(found.value, reference)) : found
}

/** As the runtime looks it up: by the whole reference, then by `model` as the document spells it. */
async function boundTo(
  models: RuntimeOptions['models'],
  reference: string,
  agent: Agent,
): Promise<ModelBinding | undefined> {
  if (typeof models === 'function') return models(reference, agent)
  const { config } = agent.document.execution_policy
  const spelled = own(config, 'model')
  const key = [reference, spelled].find((name) => typeof name === 'string' && Object.hasOwn(models ?? {}, name))
  return typeof key === 'string' ? models?.[key] : undefined
}
