/** A plain agent around a model, made for the occasion. */
import type { Agent } from '@joust/agentformat'
import { bounds } from '../../model/limits.ts'

const INSTRUCTIONS = 'You are a helpful assistant. Use the tools you have to do what the user asks for.'

/** An agent that has the model of a reference (`provider/model`) and nothing of its own. */
export function agentOfModel(model: string, instructions = INSTRUCTIONS): Agent {
  return {
    source: model,
    agents: new Map(),
    document: {
      schema_version: '1.0.0',
      metadata: { id: 'assistant', name: 'Assistant', version: '1.0.0', description: 'Helps with what it is asked.' },
      interface: { input: { type: 'string' }, output: { type: 'string' } },
      execution_policy: { id: 'agf.react', config: { model, instructions, max_steps: bounds.modelSteps } },
    },
  }
}
