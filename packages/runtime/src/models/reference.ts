/** How a document names its model: `provider` and `model`, or both in one. */
import type { ReactConfig } from '@joust/agentformat'

/** A model by name. */
export interface ModelReference {
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
