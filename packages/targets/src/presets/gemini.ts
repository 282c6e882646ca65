import type { Preset } from './preset.ts'

const command = ['gemini', '--skip-trust', '--yolo', '-m', '{model}']

export const gemini: Preset = {
  name: 'gemini',
  about: 'Gemini CLI, npm @google/gemini-cli',
  tried: '0.61.0',
  version: ['gemini', '--version'],
  command,
  next: [...command, '--resume', 'latest'],
  files: [
    {
      path: '.gemini/settings.json',
      json: {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
      servers: 'mcpServers',
      entry: { httpUrl: '{url}', trust: true },
    },
  ],
  keys: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
  model_proxy: { env: ['GOOGLE_GEMINI_BASE_URL'] },
  model: 'gemini-2.5-flash',
  acp: ['gemini', '--acp', '--skip-trust'],
  without: ['sampling', 'elicitation'],
  mcp_version: '2025-06-18',
  listing: 'at_once',
  approvals: '--yolo, and trust for each server',
  notes: ['disconnects from servers that respond with an MCP version newer than 2025-06-18'],
}
