/** The options of `joust record`, `joust aim` and `joust import`. */

import { flowFormats, techniqueNames } from '@joust/authoring/names'
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { choice, choices, count, endpoints, pairs, path, patterns, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const recordOptions = {
  on: option({ value: text('target'), default: undefined, help: 'record a target in joust.yaml: a command, or the clients of an endpoint; the words after -- are the prompt' }),
  config: option({ short: 'c', value: path('file'), default: undefined, needs: ['on'], help: 'the project file, instead of joust.yaml in this folder or a parent folder' }),
  mcpConfig: option({ value: path('file'), default: undefined, help: 'MCP configuration of the agent; by default the first of .mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .qwen/settings.json, .codex/config.toml and opencode.json in this folder' }),
  a2a: option({ value: pairs('name', 'url'), default: {}, help: 'A2A agents that the agent calls; each proxied URL is passed in the environment variable NAME_URL, or as {NAME.url} in the command' }),
  target: option({ value: endpoints, default: undefined, conflicts: ['on'], help: 'URLs of the agent itself, to record its clients: ag_ui=URL, a2a=URL or mcp=URL' }),
  token: option({ value: pairs('server', 'token'), default: {}, help: `bearer tokens for servers that require one; \${NAME} is taken from the environment` }),
  out: option({ short: 'o', value: path('folder'), default: 'joust-session', help: 'folder for trace.jsonl and session.yaml; replaces an earlier recording in it' }),
  watch: option({ value: texts('attack'), default: [], help: 'attacks to watch for, or library for the built-in ones: print a finding as soon as a message from the agent matches an attack' }),
  modelEnv: option({ value: texts('name'), default: [], help: 'environment variables of the agent to set to the address of the model proxy; by default those of all known model APIs that have a key or an address in the environment' }),
  modelUpstream: option({ value: text('url'), default: undefined, help: 'URL of the model API to which model calls are forwarded' }),
  noModelProxy: option({ value: toggle, default: false, conflicts: ['modelEnv', 'modelUpstream'], help: 'do not record model calls' }),
  redact: option({ value: patterns, default: [], help: 'hide text that matches these RE2 expressions in all output' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print only findings and errors' }),
} satisfies OptionTable

export type RecordOptions = OptionsOf<typeof recordOptions>

/** File name of the most common MCP configuration. */
export const MCP_CONFIG = '.mcp.json'

/** Paths of MCP configurations in a folder, most common first. */
export const configPlaces = [
  ...[MCP_CONFIG, '.vscode/mcp.json', '.cursor/mcp.json', '.gemini/settings.json', '.qwen/settings.json'],
  ...['.codex/config.toml', 'opencode.json'],
]

// biome-ignore format: a row is a line
export const aimOptions = {
  mcpConfig: option({ group: 'Input', value: texts('file'), default: [], help: 'MCP configurations, whose servers are started and listed; by default the first of .mcp.json, .vscode/mcp.json, .cursor/mcp.json, .gemini/settings.json, .qwen/settings.json, .codex/config.toml and opencode.json in this folder' }),
  tools: option({ group: 'Input', value: texts('file'), default: [], help: 'tool lists in JSON or YAML: MCP tools or function definitions' }),
  on: option({ group: 'Input', value: texts('name'), default: [], help: 'targets in joust.yaml whose tools are used: agent files, MCP endpoints, or commands with an MCP configuration in their folder' }),
  config: option({ group: 'Input', value: path('file'), default: undefined, help: 'the project file; by default joust.yaml in this folder or a parent folder' }),
  yes: option({ group: 'Input', short: 'y', value: toggle, default: false, help: 'do not ask before starting the servers of a configuration that is not given on the command line' }),
  call: option({ group: 'Input', value: texts('tool'), default: [], help: 'tools to call once with harmless arguments, to use their real results; by default no tool is called' }),
  flows: option({ group: 'Output', value: toggle, default: false, help: 'print the labels of the tools with their reasons, and the data flows; write no attacks' }),
  format: option({ group: 'Output', value: choice('format', flowFormats), default: 'text', needs: ['flows'], help: 'format of the flows' }),
  label: option({ group: 'Choice', value: pairs('server/tool', 'labels'), default: {}, help: 'correct the labels of a tool and save them in joust.yaml: source, private and sink, separated by commas, or none' }),
  by: option({ group: 'Choice', value: text('provider/model'), default: undefined, help: 'model that refines the labels; it gets the tool descriptions as data, not as instructions' }),
  technique: option({ group: 'Choice', value: choices('name', techniqueNames), default: [], help: 'use only these techniques' }),
  max: option({ group: 'Bounds', value: count(), default: 24, help: 'maximum number of documents, spread over the flows' }),
  out: option({ group: 'Output', short: 'o', value: path('folder'), default: 'attacks/aimed', help: 'folder for the documents' }),
  json: option({ group: 'Output', value: toggle, default: false, conflicts: ['flows'], help: 'print the written and the rejected documents as JSON' }),
  quiet: option({ group: 'Output', short: 'q', value: toggle, default: false, help: 'print no progress' }),
} satisfies OptionTable

export type AimOptions = OptionsOf<typeof aimOptions>

// biome-ignore format: a row is a line
export const importOptions = {
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'folder for the documents; existing documents with the same content are kept' }),
  set: option({ value: texts('name'), default: [], help: 'parts of the benchmark to import; injecagent: base, enhanced, test; agentdojo: workspace, travel, banking, slack; codeipi: issue_text, code_comment, readme, config_file; agentthreatbench: memory_poison, autonomy_hijack, data_exfil' }),
  script: option({ value: toggle, default: false, conflicts: ['out', 'set', 'results', 'json'], help: 'print the Python script that extracts the data of agentdojo' }),
  results: option({ value: toggle, default: false, help: 'also import recorded model outputs or replays, as traces for joust evaluate' }),
  json: option({ value: toggle, default: false, help: 'print the summary as JSON' }),
} satisfies OptionTable

export type ImportOptions = OptionsOf<typeof importOptions>
