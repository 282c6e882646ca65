import { silentModel } from '@joust/sim'
import { describe, expect, it } from 'vitest'
import { RunFailure } from '../../src/model/errors.ts'
import { modelOf, modelReference, resolveModel } from '../../src/models/resolve-model.ts'
import { react } from '../support/react.ts'

describe('the reference of a document', () => {
  it.each([
    [{ model: 'gpt-x', provider: 'openai' }, 'openai', 'gpt-x'],
    [{ model: 'openai/gpt-x' }, 'openai', 'gpt-x'],
    [{ model: 'openai/gpt-x', provider: 'openai' }, 'openai', 'gpt-x'],
    [{ model: 'meta/llama-3', provider: 'openai-compatible' }, 'openai-compatible', 'meta/llama-3'],
    [{ model: 'openai-compatible/meta/llama-3' }, 'openai-compatible', 'meta/llama-3'],
    [{ model: 'gpt-x' }, undefined, 'gpt-x'],
    [{ model: 'gpt-x', provider: '' }, undefined, 'gpt-x'],
  ])('%j', (config, provider, model) => {
    const reference = modelReference(config)
    expect(reference).toMatchObject({ model, text: provider === undefined ? model : `${provider}/${model}` })
    expect(reference.provider).toBe(provider)
  })
})

describe('resolveModel', () => {
  it.each([
    ['sim/credulous', 'sim', 'credulous'],
    ['sim/cautious', 'sim', 'cautious'],
    ['sim/silent', 'sim', 'silent'],
    ['sim/attacker', 'sim', 'attacker'],
    ['openai/gpt-x', 'openai.responses', 'gpt-x'],
    ['openai-chat/gpt-x', 'openai.chat', 'gpt-x'],
    ['anthropic/claude-x', 'anthropic.messages', 'claude-x'],
    ['google/gemini-x', 'google.generative-ai', 'gemini-x'],
    ['openai-compatible/meta/llama', 'openai-compatible.chat', 'meta/llama'],
    ['azure/my-deployment', 'azure.chat', 'my-deployment'],
    ['ollama/llama3.2', 'ollama.chat', 'llama3.2'],
    ['openrouter/meta/llama', 'openrouter.chat', 'meta/llama'],
    ['gpt-x', 'openai.responses', 'gpt-x'],
    ['o3', 'openai.responses', 'o3'],
    ['claude-x', 'anthropic.messages', 'claude-x'],
    ['gemini-x', 'google.generative-ai', 'gemini-x'],
  ])('%s', async (reference, provider, modelId) => {
    const env = {
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'k',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k',
      OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1',
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_ENDPOINT: 'https://x.openai.azure.example',
      OPENROUTER_API_KEY: 'k',
    }
    const found = await resolveModel(reference, env)
    expect(found.ok && [found.value.provider, found.value.modelId]).toEqual([provider, modelId])
  })

  it.each([
    ['openai/gpt-x', {}, 'missing_key', 'missing API key for openai (set OPENAI_API_KEY)'],
    ['openai/gpt-x', { OPENAI_API_KEY: ' ' }, 'missing_key', 'OPENAI_API_KEY'],
    ['google/g', {}, 'missing_key', 'GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY or GOOGLE_API_KEY'],
    [
      'google/g',
      { GOOGLE_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'file:///etc' },
      'config_invalid',
      'GOOGLE_GEMINI_BASE_URL',
    ],
    ['openai-compatible/m', {}, 'config_invalid', 'OPENAI_COMPATIBLE_BASE_URL'],
    [
      'openai/gpt-x',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'file:///etc' },
      'config_invalid',
      'OPENAI_BASE_URL is not',
    ],
    ['gpt-x', { OPENROUTER_API_KEY: 'k' }, 'missing_key', 'openai (set OPENAI_API_KEY); set up: openrouter'],
    [
      'llama',
      {},
      'config_invalid',
      'has no provider, and no key is set; expected provider/model, such as openai/llama',
    ],
    [
      'llama',
      { OPENAI_API_KEY: 'k', OPENROUTER_API_KEY: 'k' },
      'config_invalid',
      'has no provider, and set up: openai, openrouter; expected provider/model, such as openai/llama',
    ],
    ['llama', { AZURE_OPENAI_API_KEY: 'k' }, 'config_invalid', 'no key is set'],
    ['openai/', { OPENAI_API_KEY: 'k' }, 'config_invalid', 'no model name after the slash'],
    ['opnai/gpt-x', {}, 'config_invalid', 'Did you mean "openai"?'],
    ['constructor/x', {}, 'config_invalid', 'unknown model provider "constructor"'],
    ['__proto__/x', {}, 'config_invalid', 'unknown model provider "__proto__"'],
    ['sim/credulus', {}, 'config_invalid', 'Did you mean "credulous"?'],
    ['sim/toString', {}, 'config_invalid', 'unknown simulated model'],
    ['sim/scripted', {}, 'config_invalid', 'needs a script'],
  ])('%s with %j: %s', async (reference, env, code, message) => {
    const found = await resolveModel(reference, env)
    expect(found).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } })
  })
})

it.each([
  [{ OPENAI_API_KEY: 'k' }, 'openai.responses'],
  [{ OPENROUTER_API_KEY: 'k' }, 'openrouter.chat'],
  [{ OLLAMA_BASE_URL: 'http://127.0.0.1:1' }, 'ollama.chat'],
  [{ OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1' }, 'openai-compatible.chat'],
])('a model of unknown name goes to the only provider that is set up: %j', async (env, provider) => {
  const model = await resolveModel('llama', env)
  expect(model.ok && model.value.provider).toBe(provider)
})

it.each([
  [
    'azure/d',
    { AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_ENDPOINT: 'http://HOST' },
    '/openai/v1/chat/completions',
    'api-key',
  ],
  ['ollama/m', { OLLAMA_BASE_URL: 'http://HOST' }, '/v1/chat/completions', undefined],
  [
    'openrouter/a/m',
    { OPENROUTER_API_KEY: 'k', OPENROUTER_BASE_URL: 'http://HOST' },
    '/api/v1/chat/completions',
    'authorization',
  ],
])('%s calls its address with its key', async (reference, env, path, header) => {
  const asked: { url: string; headers: Headers }[] = []
  const transport = {
    isLive: true,
    fetch: async (url: string | URL | Request, init?: RequestInit) => {
      asked.push({ url: String(url), headers: new Headers(init?.headers) })
      return new Response('{"error":{"message":"no"}}', { status: 400 })
    },
  }
  const model = await resolveModel(reference, env, transport)
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  if (model.ok) await Promise.resolve(model.value.doGenerate({ prompt })).catch(() => {})
  expect(asked[0]?.url.toLowerCase()).toBe(`http://host${path}`)
  if (header !== undefined) expect(asked[0]?.headers.get(header)).toContain('k')
})

describe('modelOf', () => {
  const agent = react('openai/gpt-x')
  const config = { model: 'gpt-x', provider: 'openai' }
  const silent = silentModel()

  it('uses the binding of the host, by reference or by model', async () => {
    expect(await modelOf(agent, config, { models: { 'openai/gpt-x': silent } }, [])).toBe(silent)
    expect(await modelOf(agent, config, { models: { 'gpt-x': silent } }, [])).toBe(silent)
    expect(await modelOf(agent, config, { models: () => silent }, [])).toBe(silent)
  })

  it('resolves a reference that the host returns', async () => {
    const model = await modelOf(agent, config, { models: { 'gpt-x': 'sim/cautious' } }, [])
    expect(model.modelId).toBe('cautious')
  })

  it('falls back to built-in providers', async () => {
    const model = await modelOf(agent, config, { models: () => undefined, env: { OPENAI_API_KEY: 'k' } }, [])
    expect(model.modelId).toBe('gpt-x')
  })

  it('names of prototype properties are not bindings', async () => {
    const pending = modelOf(agent, { model: 'constructor' }, { models: {} }, ['helper'])
    await expect(pending).rejects.toMatchObject({ error: { code: 'config_invalid', agent: ['helper'] } })
  })

  it('an exception of the host is a configuration error', async () => {
    const models = () => Promise.reject(new Error('vault locked'))
    const failure = await modelOf(agent, config, { models }, []).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(RunFailure)
    expect(failure).toMatchObject({
      error: { code: 'config_invalid', message: expect.stringContaining('vault locked') },
    })
  })
})
