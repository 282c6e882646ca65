import type { Preset } from './preset.ts'

const command = [
  ...['claude', '-p', '--output-format', 'json', '--model', '{model}'],
  ...['--mcp-config', '{mcp_config}', '--strict-mcp-config', '--permission-mode', 'bypassPermissions'],
]

export const claude: Preset = {
  name: 'claude',
  about: 'Claude Code, npm @anthropic-ai/claude-code',
  version: ['claude', '--version'],
  command,
  next: [...command, '--continue'],
  env: {
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  },
  keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
  model_proxy: { env: ['ANTHROPIC_BASE_URL'] },
  logins: ['.claude/.credentials.json'],
  model: 'sonnet',
  answer: 'result',
  acp: ['claude-code-acp'],
  listing: 'at_once',
  approvals: 'bypassed, which the agent does not allow for root',
}
