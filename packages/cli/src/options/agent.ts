/** The options of `joust agent run`, `new`, `chat`, `serve` and `graph`. */
import { type OptionsOf, type OptionTable, option, REQUIRED } from './option.ts'
import { choice, count, duration, pairs, port, text, toggle } from './values.ts'

// biome-ignore format: a row is a line
const bindingOptions = {
  model: option({ short: 'm', value: text('provider/model'), default: undefined, help: 'use this model for every agent' }),
  script: option({ value: text('file'), default: undefined, help: 'file with the answers of sim/scripted, turn by turn' }),
  approve: option({ value: text('mode|file'), default: 'ask', help: 'requests from the agent to approve: all, none, those listed in a file (approve: [tool, …]), or ask at the terminal' }),
  memory: option({ value: text('scope'), default: undefined, help: 'memory scope; an agent with a memory recalls earlier runs in the same scope' }),
  modelTimeout: option({ value: duration, default: undefined, help: 'timeout for one attempt of a model call, or for the next part of a streamed answer; 2m by default' }),
  toolTimeout: option({ value: duration, default: undefined, help: 'timeout for one call to a tool or remote agent; 2m by default' }),
  connectTimeout: option({ value: duration, default: undefined, help: 'timeout for opening a connection; 30s by default' }),
  retries: option({ value: count(0), default: undefined, help: 'number of retries of a model call after a temporary error; 3 by default, 1 after a timeout' }),
  batchWidth: option({ value: count(), default: undefined, help: 'number of concurrent items in a batch; 4 by default' }),
  limit: option({ value: pairs('name', 'n'), default: undefined, help: 'limit for each run, such as max_llm_calls=20; it can only tighten the limits in the agent file' }),
  events: option({ value: text('file'), default: undefined, help: 'write all run events to a file, as JSON lines' }),
  envFile: option({ value: text('file'), default: undefined, help: 'file of environment variables, one NAME=value per line; variables that are already set take precedence' }),
  root: option({ value: text('folder'), default: undefined, help: 'folder that must contain all agent files; by default the folder of the first file' }),
  config: option({ short: 'c', value: text('file'), default: undefined, help: 'the project file; by default joust.yaml in this folder or a parent folder' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print no progress' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const agentRunOptions = {
  input: option({ short: 'i', value: text('input'), default: REQUIRED, help: 'the input: plain text, JSON, @file, or - for standard input' }),
  stream: option({ value: toggle, default: false, conflicts: ['json'], help: 'print the answer as text while it arrives, not as JSON' }),
  watch: option({ value: toggle, default: false, conflicts: ['journal'], help: 'run again when the agent files, joust.yaml or the input file change, until Ctrl-C' }),
  journal: option({ value: text('file'), default: undefined, help: 'record every step in a file, from which a stopped or killed run can continue' }),
  ...bindingOptions,
  json: option({ value: toggle, default: false, help: 'print the whole result: output, usage and warnings, or the error' }),
} satisfies OptionTable

/** The execution policies of Agent Format, by the names of their examples. */
const SHAPES = ['react', 'sequential', 'parallel', 'loop', 'batch', 'conditional'] as const

// biome-ignore format: a row is a line
export const agentNewOptions = {
  shape: option({ short: 's', value: choice('shape', SHAPES), default: 'react', help: 'execution policy: one model with tools (react), or a team of agents' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const agentChatOptions = {
  resume: option({ value: text('file'), default: undefined, help: 'save the chat in this file, and continue the chat saved there' }),
  ...bindingOptions,
} satisfies OptionTable

// biome-ignore format: a row is a line
export const agentServeOptions = {
  agUi: option({ value: toggle, default: false, help: 'serve as an AG-UI endpoint; with several protocols, each has its own path' }),
  a2a: option({ value: toggle, default: false, help: 'serve as an A2A agent, with protocol versions 1.0 and 0.3' }),
  mcp: option({ value: toggle, default: false, help: 'serve as an MCP server with one tool' }),
  stdio: option({ value: toggle, default: false, needs: ['mcp'], conflicts: ['agUi', 'a2a', 'host', 'port', 'token'], help: 'serve over standard input and output' }),
  port: option({ short: 'p', value: port, default: undefined, help: 'port; any free port by default' }),
  host: option({ value: text('address'), default: undefined, help: 'address to listen on; by default 127.0.0.1, which only this machine can reach' }),
  token: option({ value: text('text'), default: undefined, help: `bearer token that clients must send: Authorization: Bearer TEXT; \${NAME} is taken from the environment` }),
  ...bindingOptions,
  memory: option({ value: text('scope'), default: undefined, help: 'one memory scope for all clients, so that each recalls the turns of the others; none by default' }),
  approve: option({ value: text('mode|file'), default: 'ask', help: 'requests from the agent to approve: all, none, those listed in a file, ask at the terminal, or ask the client over its protocol (client)' }),
  approvalTimeout: option({ value: duration, default: undefined, help: 'time after which an approval request to the client or at the terminal is denied; 5m by default' }),
} satisfies OptionTable

export const agentGraphOptions = {
  format: option({ short: 'f', value: choice('format', ['text', 'mermaid']), default: 'text', help: 'output format' }),
} satisfies OptionTable

export type BindingOptions = OptionsOf<typeof bindingOptions>
export type AgentRunOptions = OptionsOf<typeof agentRunOptions>
export type AgentNewOptions = OptionsOf<typeof agentNewOptions>
export type AgentChatOptions = OptionsOf<typeof agentChatOptions>
export type AgentServeOptions = OptionsOf<typeof agentServeOptions>
export type AgentGraphOptions = OptionsOf<typeof agentGraphOptions>
