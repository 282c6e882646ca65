/** The providers that are built in. Each library is imported on first use. */
import type { LanguageModel } from '../model/language-model.ts'
import { splitData, splitSystem } from './marks.ts'
import { overHttp } from './over-http.ts'

/** Where a provider is reached, and with which key. */
export interface ProviderSettings {
  readonly apiKey?: string
  readonly baseURL?: string
}

/** A provider of models over HTTP. */
export interface Provider {
  /** Environment variables that may hold the key; the first that is set counts. */
  readonly keys: readonly string[]
  /** Whether it can be asked without a key. */
  readonly keyOptional?: boolean
  /** Environment variables that may hold the base address; the first that is set counts. */
  readonly baseUrls: readonly string[]
  /** The path that a base address without one gets. */
  readonly basePath?: string
  readonly baseUrlRequired?: boolean
  /** Whether it accepts a schema for the answer along with tools. */
  readonly schemaBesideTools: boolean
  model(id: string, settings: ProviderSettings): Promise<LanguageModel>
}

// biome-ignore format: a row is a provider
export const providers: Readonly<Record<string, Provider>> = {
  openai: {
    keys: ['OPENAI_API_KEY'], baseUrls: ['OPENAI_BASE_URL'], basePath: '/v1', schemaBesideTools: true,
    async model(id, settings) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return overHttp((fetch) => createOpenAI({ ...settings, fetch })(id), settings.apiKey)
    },
  },
  'openai-chat': {
    keys: ['OPENAI_API_KEY'], baseUrls: ['OPENAI_BASE_URL'], basePath: '/v1', schemaBesideTools: true,
    async model(id, settings) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return overHttp((fetch) => createOpenAI({ ...settings, fetch }).chat(id), settings.apiKey)
    },
  },
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'], baseUrls: ['ANTHROPIC_BASE_URL'], basePath: '/v1', schemaBesideTools: true,
    async model(id, settings) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return overHttp((fetch) => createAnthropic({ ...settings, fetch })(id), settings.apiKey)
    },
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'], baseUrls: ['GOOGLE_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'], basePath: '/v1beta', schemaBesideTools: false,
    async model(id, settings) {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return overHttp((fetch) => createGoogleGenerativeAI({ ...settings, fetch })(id), settings.apiKey)
    },
  },
  'openai-compatible': {
    keys: ['OPENAI_COMPATIBLE_API_KEY'], keyOptional: true, baseUrls: ['OPENAI_COMPATIBLE_BASE_URL'], baseUrlRequired: true, schemaBesideTools: false,
    model: compatibleModel,
  },
}

/** The environment variables that hold keys of models. */
export const keyVariables: readonly string[] = [...new Set(Object.values(providers).flatMap(({ keys }) => keys))]

/** The environment variables that say where models are reached. */
export const addressVariables: readonly string[] = [
  ...new Set(Object.values(providers).flatMap(({ baseUrls }) => baseUrls)),
]

/** A model of any server that speaks the chat completions of OpenAI. */
export async function compatibleModel(id: string, settings: ProviderSettings): Promise<LanguageModel> {
  const { baseURL = '', ...others } = settings
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const fixed = { ...others, baseURL, name: 'openai-compatible', includeUsage: true }
  return overHttp((fetch) => createOpenAICompatible({ ...fixed, fetch })(id), settings.apiKey)
}

/** The provider name of simulated models. */
export const SIMULATION = 'sim'

const marks = { splitSystem, splitData }

/** The simulated models that need nothing. `sim/scripted` needs a script, so a host binds it. */
export const simulations: Readonly<Record<string, () => Promise<LanguageModel>>> = {
  credulous: async () => (await import('@joust/sim')).credulousModel(marks),
  cautious: async () => (await import('@joust/sim')).cautiousModel(marks),
  silent: async () => (await import('@joust/sim')).silentModel(marks),
  attacker: async () => (await import('@joust/sim')).attackerModel(),
}
