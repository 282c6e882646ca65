/** The format that a model is asked to answer in, and messages in the order that its provider accepts. */
import type { InterfaceSchema } from '@joust/agentformat'
import { own } from '@joust/source'
import type { LanguageModel, ModelCall, ModelMessage, ModelSchema } from '../model/language-model.ts'
import { providers, SIMULATION } from './providers.ts'

/** The request for an answer that fits a schema, where the provider takes one; the prompt asks for it in any case. */
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
    // Our JSON Schemas are schemas of the port.
    responseFormat: { type: 'json', schema: schema as ModelSchema, name: 'answer' },
    // The strict mode supports only a small part of JSON Schema; the answer is validated here anyway.
    providerOptions: { openai: { strictJsonSchema: false } },
  }
}

/** Google accepts system messages only at the start: later ones, such as those in a history, are moved there. */
export function fitPrompt(model: LanguageModel, prompt: readonly ModelMessage[]): ModelMessage[] {
  if (familyOf(model) !== 'google') return [...prompt]
  const isSystem = (message: ModelMessage) => message.role === 'system'
  return [...prompt.filter(isSystem), ...prompt.filter((message) => !isSystem(message))]
}

/** `openai` for `openai.responses`. */
function familyOf(model: LanguageModel): string {
  return model.provider.split('.')[0] ?? ''
}
