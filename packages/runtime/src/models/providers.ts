/** Built-in providers. Their libraries are imported on first use. */
import type { LanguageModel } from '../model/language-model.ts'
import { httpModel } from './http-model.ts'
import { splitData, splitSystem } from './prompt-sections.ts'

export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
  /** @default the global function */
  readonly fetch?: typeof fetch
}

export interface Provider {
  /** Environment variables for the key; the first that is set is used. */
  readonly keys: readonly string[]
  readonly keyOptional?: boolean
  /** Environment variables for the base URL; the first that is set is used. */
  readonly baseUrls: readonly string[]
  /** Appended to base URLs without a path. */
  readonly basePath?: string
  readonly baseUrlRequired?: boolean
  /** The default base URL for libraries that have none. */
  readonly address?: string
  /** Matches the provider's model names, for references without a provider. */
  readonly prefixes?: RegExp
  /** True if the provider accepts an answer schema together with tools. */
  readonly schemaBesideTools: boolean
  model(id: string, settings: ProviderSettings): Promise<LanguageModel>
}

// biome-ignore format: a row is a provider
export const providers: Readonly<Record<string, Provider>> = {
  openai: {
    prefixes: /^(?:gpt-|chatgpt-|o[134](?:-|$))/, keys: ['OPENAI_API_KEY'], baseUrls: ['OPENAI_BASE_URL'], basePath: '/v1', schemaBesideTools: true,
    async model(id, settings) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return httpModel((fetch) => createOpenAI({ ...settings, fetch })(id), settings)
    },
  },
  'openai-chat': {
    keys: ['OPENAI_API_KEY'], baseUrls: ['OPENAI_BASE_URL'], basePath: '/v1', schemaBesideTools: true,
    async model(id, settings) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return httpModel((fetch) => createOpenAI({ ...settings, fetch }).chat(id), settings)
    },
  },
  anthropic: {
    prefixes: /^claude-/, keys: ['ANTHROPIC_API_KEY'], baseUrls: ['ANTHROPIC_BASE_URL'], basePath: '/v1', schemaBesideTools: true,
    async model(id, settings) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return httpModel((fetch) => createAnthropic({ ...settings, fetch })(id), settings)
    },
  },
  google: {
    prefixes: /^gemini-/, keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'], baseUrls: ['GOOGLE_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'], basePath: '/v1beta', schemaBesideTools: false,
    async model(id, settings) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return httpModel((fetch) => createGoogleGenerativeAI({ ...settings, fetch })(id), settings)
    },
  },
  'openai-compatible': {
    keys: ['OPENAI_COMPATIBLE_API_KEY'], keyOptional: true, baseUrls: ['OPENAI_COMPATIBLE_BASE_URL'], baseUrlRequired: true, schemaBesideTools: false,
    model: compatibleModel,
  },
  azure: {
    keys: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'], baseUrls: ['AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_BASE_URL'], basePath: '/openai/v1', baseUrlRequired: true, schemaBesideTools: true,
    async model(id, settings) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const headers = { 'api-key': settings.apiKey ?? '' }
      return httpModel((fetch) => createOpenAI({ ...settings, fetch, headers, name: 'azure' }).chat(id), settings)
    },
  },
  ollama: {
    keys: ['OLLAMA_API_KEY'], keyOptional: true, baseUrls: ['OLLAMA_BASE_URL'], basePath: '/v1', address: 'http://127.0.0.1:11434', schemaBesideTools: false,
    model: (id, settings) => compatibleModel(id, settings, 'ollama'),
  },
  openrouter: {
    keys: ['OPENROUTER_API_KEY'], baseUrls: ['OPENROUTER_BASE_URL'], basePath: '/api/v1', address: 'https://openrouter.ai', schemaBesideTools: false,
    model: (id, settings) => compatibleModel(id, settings, 'openrouter'),
  },
}

/** Environment variables for API keys, of all providers. */
export const keyVariables: readonly string[] = [...new Set(Object.values(providers).flatMap(({ keys }) => keys))]

/** Environment variables for base URLs, of all providers. */
export const addressVariables: readonly string[] = [
  ...new Set(Object.values(providers).flatMap(({ baseUrls }) => baseUrls)),
]

/** Creates a model on an OpenAI-compatible chat completions server. */
export async function compatibleModel(
  id: string,
  settings: ProviderSettings,
  name = 'openai-compatible',
): Promise<LanguageModel> {
  const { baseURL = '', ...others } = settings
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const fixed = { ...others, baseURL, name, includeUsage: true }
  return httpModel((fetch) => createOpenAICompatible({ ...fixed, fetch })(id), settings)
}

/** The provider name of simulated models. */
export const SIMULATION = 'sim'

const marks = { splitSystem, splitData }

/** Simulated models that need no configuration. `sim/scripted` needs a script and is bound by the host. */
export const simulations: Readonly<Record<string, () => Promise<LanguageModel>>> = {
  credulous: async () => (await import('@joust/sim')).credulousModel(marks),
  cautious: async () => (await import('@joust/sim')).cautiousModel(marks),
  silent: async () => (await import('@joust/sim')).silentModel(marks),
  attacker: async () => (await import('@joust/sim')).attackerModel(),
}

/**
 * Prefixes of model references: full names of simulated models, `name/` for other providers.
 *
 * @example
 * console.log(modelBeginnings().includes('sim/cautious'))
 */
export function modelBeginnings(): readonly string[] {
  const simulated = Object.keys(simulations).map((name) => `${SIMULATION}/${name}`)
  return [...simulated, ...Object.keys(providers).map((name) => `${name}/`)]
}
