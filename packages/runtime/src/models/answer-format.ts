/** Provider-specific answer formats and message order. */
import type { InterfaceSchema } from '@joust/agentformat'
import { own } from '@joust/source'
import type { LanguageModel, ModelCall, ModelMessage, ModelSchema } from '../model/language-model.ts'
import { providers, SIMULATION } from './providers.ts'

/** Requests a structured answer if the provider supports it. The prompt asks for the format in any case. */
export function structuredAnswer(
  model: LanguageModel,
  schema: InterfaceSchema,
  besideTools: boolean,
): Pick<ModelCall, 'responseFormat' | 'providerOptions'> {
  const family = familyOf(model)
  const provider = Object.hasOwn(providers, family) ? providers[family] : undefined
  if (family !== SIMULATION) {
    if (besideTools && provider?.schemaBesideTools !== true) return {}
    // Providers only accept an object as the root of an answer.
    if (own(schema, 'type') !== 'object') return {}
  }
  return {
    // Every JSON Schema is a valid model schema.
    responseFormat: { type: 'json', schema: schema as ModelSchema, name: 'answer' },
    // Strict mode supports little of JSON Schema, and the runtime validates the answer anyway.
    providerOptions: { openai: { strictJsonSchema: false } },
  }
}

/** Moves system messages to the start for Google, which accepts them only there. */
export function orderPrompt(model: LanguageModel, prompt: readonly ModelMessage[]): ModelMessage[] {
  if (familyOf(model) !== 'google') return [...prompt]
  const isSystem = (message: ModelMessage) => message.role === 'system'
  return [...prompt.filter(isSystem), ...prompt.filter((message) => !isSystem(message))]
}

/** Returns the provider family, for example `openai` for `openai.responses`. */
function familyOf(model: LanguageModel): string {
  return model.provider.split('.')[0] ?? ''
}
