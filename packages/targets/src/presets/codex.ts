import type { Preset } from './preset.ts'

const config = `model = "{model}"
model_provider = "by_key"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.by_key]
name = "by_key"
base_url = "{env.OPENAI_BASE_URL|https://api.openai.com/v1}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`

const server = `[mcp_servers."{name}"]
url = "{url}"
default_tools_approval_mode = "approve"
`

export const codex: Preset = {
  name: 'codex',
  about: 'OpenAI Codex CLI, npm @openai/codex',
  tried: '0.166.0',
  version: ['codex', '--version'],
  command: ['codex', 'exec', '--skip-git-repo-check', '-C', '{work}', '-'],
  next: ['codex', 'exec', 'resume', '--last', '--skip-git-repo-check', '-'],
  files: [{ path: '.codex/config.toml', text: config, each: server }],
  keys: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
  model_proxy: { env: ['OPENAI_BASE_URL'] },
  model: 'gpt-5-codex',
  acp: ['codex-acp'],
  without: ['sampling', 'roots'],
  listing: 'at_once',
  approvals: 'set per server in its configuration; otherwise Codex denies every MCP call in non-interactive mode',
  notes: [
    'supports only the Responses API',
    'the Agent Client Protocol needs a separate package, @zed-industries/codex-acp',
  ],
}
