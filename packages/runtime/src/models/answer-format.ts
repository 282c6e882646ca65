/** Answer format and message order for each provider. */
import type { InterfaceSchema } from '@joust/agentformat'
import { own } from '@joust/source'
import type { LanguageModel, ModelCall, ModelMessage, ModelSchema } from '../model/language-model.ts'
import { providers, SIMULATION } from './providers.ts'

/** Call options for a structured answer, if the provider supports them; the prompt asks for the format in any case. */
export function structuredAnswer(
  model: LanguageModel,
  schema: InterfaceSchema,
  besideTools: boolean,
): Pick<ModelCall, 'responseFormat' | 'providerOptions'> {
  const family = familyOf(model)
  const provider = Object.hasOwn(providers, family) ? providers[family] : undefined
  if (family !== SIMULATION) {
    if (besideTools && provider?.schemaBesideTools !== true) return {}
    // Providers accept only objects at the root of an answer.
    if (own(schema, 'type') !== 'object') return {}
  }
  return {
    // JSON Schemas of the format are also schemas of the port.
    responseFormat: { type: 'json', schema: schema as ModelSchema, name: 'answer' },
    // Strict mode supports only a small part of JSON Schema, and the answer is validated here anyway.
    providerOptions: { openai: { strictJsonSchema: false } },
  }
}

/** Moves system messages to the start for Google, which accepts them only there. */
export function orderPrompt(model: LanguageModel, prompt: readonly ModelMessage[]): ModelMessage[] {
  if (familyOf(model) !== 'google') return [...prompt]
  const isSystem = (message: ModelMessage) => message.role === 'system'
  return [...prompt.filter(isSystem), ...prompt.filter((message) => !isSystem(message))]
}

/** Returns `openai` for `openai.responses`. */
function familyOf(model: LanguageModel): string {
  return model.provider.split('.')[0] ?? ''
}
