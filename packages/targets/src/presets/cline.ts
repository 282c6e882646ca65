import type { Preset } from './preset.ts'

export const cline: Preset = {
  name: 'cline',
  about: 'Cline CLI, npm cline',
  tried: '3.0.65',
  version: ['cline', '--version'],
  command: [
    ...['cline', '--json', '--data-dir', '{home}/data', '-c', '{work}'],
    ...['-P', 'openai-compatible', '-m', '{model}', '{prompt}'],
  ],
  files: [
    {
      path: 'data/settings/providers.json',
      json: {
        version: 1,
        lastUsedProvider: 'openai-compatible',
        modes: {},
        providers: {
          'openai-compatible': {
            settings: {
              provider: 'openai-compatible',
              apiKey: '{env.OPENAI_API_KEY}',
              model: '{model}',
              baseUrl: '{env.OPENAI_BASE_URL|https://api.openai.com/v1}',
            },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    },
    { path: 'data/settings/global-settings.json', json: { telemetryOptOut: true, autoUpdateEnabled: false } },
    {
      path: 'data/settings/cline_mcp_settings.json',
      json: {},
      servers: 'mcpServers',
      entry: { type: 'streamableHttp', url: '{url}' },
    },
  ],
  env: {
    DO_NOT_TRACK: '1',
    CLINE_NO_AUTO_UPDATE: '1',
    CLINE_GLOBAL_SETTINGS_PATH: '{home}/data/settings/global-settings.json',
  },
  keys: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  model_proxy: { env: ['OPENAI_BASE_URL'] },
  model: 'gpt-5',
  answer: 'text',
  without: ['sampling', 'elicitation', 'roots'],
  listing: 'at_once',
  approvals: 'on by default',
  notes: [
    'one turn only',
    'rejects a prompt that is a single word',
    'does not accept MCP servers by URL over the Agent Client Protocol',
    'leaves a daemon running without --data-dir',
  ],
}
