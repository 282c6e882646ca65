/** React agents with scripted models. */

import type { Agent, ReactConfig } from '@joust/agentformat'
import { type Script, scriptedModel } from '@joust/sim'
import type { ModelResolver } from '../../src/model/options.ts'
import { type AgentParts, makeAgent } from './agents.ts'

/** An agent that asks a model; `model` is its name in `scripts`. */
export function react(model: string, parts: AgentParts = {}, config: Partial<ReactConfig> = {}): Agent {
  const policy = { id: 'agf.react', config: { instructions: 'Do it.', model, ...config } } as const
  return makeAgent({ id: model, output: { type: 'string' }, ...parts, policy })
}

/** A fresh scripted model for each agent that asks. */
export function scripts(byModel: Readonly<Record<string, Script>>): ModelResolver {
  const made = new Map<Agent, ReturnType<typeof scriptedModel>>()
  return (reference, agent) => {
    const model = made.get(agent) ?? scriptedModel(byModel[reference] ?? [])
    made.set(agent, model)
    return model
  }
}
