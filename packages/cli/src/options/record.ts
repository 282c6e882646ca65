/** The options of `joust record`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { endpoints, pairs, path, patterns, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const recordOptions = {
  on: option({ value: text('target'), default: undefined, help: 'record a target of joust.yaml: a command, or the clients of an address; the words after -- are its prompt' }),
  config: option({ short: 'c', value: path('file'), default: undefined, needs: ['on'], help: 'the project file, instead of joust.yaml in this folder or a parent folder' }),
  mcpConfig: option({ value: path('file'), default: undefined, help: 'the configuration with the MCP servers of the agent; by default the first of .mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .qwen/settings.json, .codex/config.toml and opencode.json in this folder' }),
  a2a: option({ value: pairs('name', 'url'), default: {}, help: 'A2A agents that the agent calls; NAME_URL in its environment and {NAME.url} in the command are the addresses to use' }),
  target: option({ value: endpoints, default: undefined, conflicts: ['on'], help: 'the addresses of the agent itself, to record its clients: ag_ui=URL, a2a=URL or mcp=URL' }),
  token: option({ value: pairs('server', 'token'), default: {}, help: `bearer tokens for servers that ask for a login; \${NAME} is taken from the environment` }),
  out: option({ short: 'o', value: path('folder'), default: 'joust-session', help: 'the folder for trace.jsonl and session.yaml; an earlier recording in it is replaced' }),
  watch: option({ value: texts('attack'), default: [], help: 'attack documents, or library for the built-in ones: print a finding as soon as a message of the agent matches one of their indicators' }),
  modelEnv: option({ value: texts('name'), default: [], help: 'variables with the address of the model; by default those of the known model APIs whose key or address is set' }),
  modelUpstream: option({ value: text('url'), default: undefined, help: 'the address of the model API behind these variables' }),
  noModelProxy: option({ value: toggle, default: false, conflicts: ['modelEnv', 'modelUpstream'], help: 'do not record the model' }),
  redact: option({ value: patterns, default: [], help: 'RE2 expressions; matches are redacted in everything that is written' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print only findings and errors' }),
} satisfies OptionTable

export type RecordOptions = OptionsOf<typeof recordOptions>
