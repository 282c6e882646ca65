import type { Preset } from './preset.ts'

export const opencode: Preset = {
  name: 'opencode',
  about: 'opencode, npm opencode-ai',
  tried: '1.18.33',
  version: ['opencode', '--version'],
  command: ['opencode', 'run', '--auto', '--dir', '{work}'],
  next: ['opencode', 'run', '--auto', '--dir', '{work}', '--continue'],
  files: [
    {
      path: '.config/opencode/opencode.json',
      json: {
        model: 'by_key/{model}',
        small_model: 'by_key/{model}',
        share: 'disabled',
        provider: {
          by_key: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: '{env.OPENAI_BASE_URL|https://api.openai.com/v1}', apiKey: '{env.OPENAI_API_KEY}' },
            models: { '{model}': {} },
          },
        },
      },
      servers: 'mcp',
      entry: { type: 'remote', url: '{url}', enabled: true, oauth: false },
    },
  ],
  env: {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  },
  keys: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  model_proxy: { env: ['OPENAI_BASE_URL'] },
  model: 'gpt-5',
  acp: ['opencode', 'acp'],
  without: ['sampling', 'elicitation'],
  listing: 'at_once',
  approvals: 'allowed by default',
  notes: ['prompts are passed on standard input, because the model would see quotes around an argument'],
}
