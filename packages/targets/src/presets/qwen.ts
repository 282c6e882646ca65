import type { Preset } from './preset.ts'

const command = ['qwen', '--yolo', '--auth-type', 'openai', '-m', '{model}']

export const qwen: Preset = {
  name: 'qwen',
  about: 'Qwen Code, npm @qwen-code/qwen-code, on Node 22',
  tried: '0.24.4',
  version: ['qwen', '--version'],
  command,
  next: [...command, '--continue'],
  files: [
    {
      path: '.qwen/settings.json',
      json: { privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } },
      servers: 'mcpServers',
      entry: { httpUrl: '{url}', trust: true },
    },
  ],
  keys: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  model_proxy: { env: ['OPENAI_BASE_URL'] },
  model: 'qwen3-coder-plus',
  acp: ['qwen', '--acp'],
  without: ['sampling', 'elicitation'],
  listing: 'on_request',
  approvals: '--yolo, and trust for each server',
  notes: ["the model sees a server's tools only after it has searched for them"],
}
