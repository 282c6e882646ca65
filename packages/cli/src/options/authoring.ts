/** The options of `joust record`, `joust aim` and `joust import`. */

import { flowFormats, techniqueNames } from '@joust/authoring/names'
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { choice, choices, count, endpoints, pairs, path, patterns, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const recordOptions = {
  on: option({ value: text('target'), default: undefined, help: 'record a target of joust.yaml: a command, or the clients of an address; the words after -- are its prompt' }),
  config: option({ short: 'c', value: path('file'), default: undefined, needs: ['on'], help: 'the project file, instead of joust.yaml in this folder or a parent folder' }),
  mcpConfig: option({ value: path('file'), default: undefined, help: 'the configuration with the MCP servers of the agent; by default the first of .mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .qwen/settings.json, .codex/config.toml and opencode.json in this folder' }),
  a2a: option({ value: pairs('name', 'url'), default: {}, help: 'A2A agents that the agent calls; it gets each proxied address as NAME_URL in its environment or {NAME.url} in the command' }),
  target: option({ value: endpoints, default: undefined, conflicts: ['on'], help: 'the addresses of the agent itself, to record its clients: ag_ui=URL, a2a=URL or mcp=URL' }),
  token: option({ value: pairs('server', 'token'), default: {}, help: `bearer tokens for servers that ask for a login; \${NAME} is taken from the environment` }),
  out: option({ short: 'o', value: path('folder'), default: 'joust-session', help: 'the folder for trace.jsonl and session.yaml; an earlier recording in it is replaced' }),
  watch: option({ value: texts('attack'), default: [], help: 'attack documents, or library for the built-in ones: print a finding as soon as a message from the agent matches one of their indicators' }),
  modelEnv: option({ value: texts('name'), default: [], help: 'environment variables of the agent to set to the address of the model proxy; by default those of known model APIs with a key or address in the environment' }),
  modelUpstream: option({ value: text('url'), default: undefined, help: 'the address of the model API to forward model calls to' }),
  noModelProxy: option({ value: toggle, default: false, conflicts: ['modelEnv', 'modelUpstream'], help: 'do not record the model' }),
  redact: option({ value: patterns, default: [], help: 'RE2 expressions; matches are redacted in everything that is written' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print only findings and errors' }),
} satisfies OptionTable

export type RecordOptions = OptionsOf<typeof recordOptions>

/** The most common configuration. */
export const MCP_CONFIG = '.mcp.json'

/** Places of configurations in a folder, the most common first. */
export const configPlaces = [
  ...[MCP_CONFIG, '.vscode/mcp.json', '.cursor/mcp.json', '.gemini/settings.json', '.qwen/settings.json'],
  ...['.codex/config.toml', 'opencode.json'],
]

// biome-ignore format: a row is a line
export const aimOptions = {
  mcpConfig: option({ group: 'Input', value: texts('file'), default: [], help: 'configurations of MCP servers, which are started and listed; by default the first of .mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .qwen/settings.json, .codex/config.toml and opencode.json in this folder' }),
  tools: option({ group: 'Input', value: texts('file'), default: [], help: 'lists of tools as JSON or YAML: MCP tools or function definitions' }),
  on: option({ group: 'Input', value: texts('name'), default: [], help: 'targets of joust.yaml whose tools are used: agent files, MCP endpoints, and commands with a configuration in their folder' }),
  config: option({ group: 'Input', value: path('file'), default: undefined, help: 'the project file; by default joust.yaml in this folder or a parent folder' }),
  yes: option({ group: 'Input', short: 'y', value: toggle, default: false, help: 'start the servers of a configuration that the command line does not name without asking' }),
  call: option({ group: 'Input', value: texts('tool'), default: [], help: 'tools that may be called once with harmless arguments, for real answers; without it no tool is called' }),
  flows: option({ group: 'Output', value: toggle, default: false, help: 'print the labels of the tools with their reasons, and the flows; write no attacks' }),
  format: option({ group: 'Output', value: choice('format', flowFormats), default: 'text', needs: ['flows'], help: 'the format of the flows' }),
  label: option({ group: 'Choice', value: pairs('server/tool', 'labels'), default: {}, help: 'correct the labels of a tool and keep them in joust.yaml: source, private and sink, separated by commas, or none' }),
  by: option({ group: 'Choice', value: text('provider/model'), default: undefined, help: 'a model that refines the labels; descriptions of tools are only data to it' }),
  technique: option({ group: 'Choice', value: choices('name', techniqueNames), default: [], help: 'only these techniques' }),
  max: option({ group: 'Bounds', value: count(), default: 24, help: 'maximum number of documents, spread over the flows' }),
  out: option({ group: 'Output', short: 'o', value: path('folder'), default: 'attacks/aimed', help: 'the folder for the documents' }),
  json: option({ group: 'Output', value: toggle, default: false, conflicts: ['flows'], help: 'print the documents and the rejected ones as JSON' }),
  quiet: option({ group: 'Output', short: 'q', value: toggle, default: false, help: 'print no progress' }),
} satisfies OptionTable

export type AimOptions = OptionsOf<typeof aimOptions>

// biome-ignore format: a row is a line
export const importOptions = {
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'folder for the documents; existing ones with the same content are kept' }),
  set: option({ value: texts('name'), default: [], help: 'parts of the benchmark; injecagent: base, enhanced, test; agentdojo: workspace, travel, banking, slack; codeipi: issue_text, code_comment, readme, config_file; agentthreatbench: memory_poison, autonomy_hijack, data_exfil' }),
  script: option({ value: toggle, default: false, conflicts: ['out', 'set', 'results', 'json'], help: 'print the script that writes the data of agentdojo, for Python' }),
  results: option({ value: toggle, default: false, help: 'also import recorded outputs of models, or replays, as traces for joust evaluate' }),
  json: option({ value: toggle, default: false, help: 'print the summary as JSON' }),
} satisfies OptionTable

export type ImportOptions = OptionsOf<typeof importOptions>
