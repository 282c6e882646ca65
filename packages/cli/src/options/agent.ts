/** The options of `joust agent run`, `serve` and `graph`. */
import { type OptionsOf, type OptionTable, option, REQUIRED } from './option.ts'
import { choice, port, text, toggle } from './values.ts'

/** What `run` and `serve` share. */
// biome-ignore format: a row is a line
const bindingOptions = {
  model: option({ short: 'm', value: text('provider/model'), default: undefined, help: 'use this model for every agent' }),
  script: option({ value: text('file'), default: undefined, help: 'what sim/scripted says, turn by turn' }),
  approve: option({ value: choice('mode', ['ask', 'all', 'none']), default: 'ask', help: 'who approves what the agent wants to do; ask means asking at the terminal' }),
  events: option({ value: text('file'), default: undefined, help: 'write everything that happens to a file, as JSON lines' }),
  config: option({ short: 'c', value: text('file'), default: undefined, help: 'the project file; by default joust.yaml in this folder or one above it' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print no progress' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const agentRunOptions = {
  input: option({ short: 'i', value: text('json'), default: REQUIRED, help: 'the input: JSON, @file, or - for standard input' }),
  journal: option({ value: text('file'), default: undefined, help: 'record every step in a file; a run that was stopped or killed continues from it' }),
  ...bindingOptions,
  json: option({ value: toggle, default: false, help: 'print the whole result: output, usage and warnings, or the error' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const agentServeOptions = {
  agUi: option({ value: toggle, default: false, conflicts: ['a2a', 'mcp'], help: 'as an AG-UI endpoint' }),
  a2a: option({ value: toggle, default: false, conflicts: ['mcp'], help: 'as an A2A agent, protocol 1.0 and 0.3' }),
  mcp: option({ value: toggle, default: false, help: 'as an MCP server with one tool' }),
  stdio: option({ value: toggle, default: false, needs: ['mcp'], conflicts: ['host', 'port', 'token'], help: 'over standard input and output' }),
  port: option({ short: 'p', value: port, default: undefined, help: 'the port; any free one by default' }),
  host: option({ value: text('address'), default: undefined, help: 'the address; by default 127.0.0.1, which only this machine can reach' }),
  token: option({ value: text('text'), default: undefined, help: `what clients have to send: Authorization: Bearer TEXT; \${NAME} is taken from the environment` }),
  ...bindingOptions,
} satisfies OptionTable

export const agentGraphOptions = {
  format: option({ short: 'f', value: choice('format', ['text', 'mermaid']), default: 'text', help: 'how to draw' }),
} satisfies OptionTable

export type BindingOptions = OptionsOf<typeof bindingOptions>
export type AgentRunOptions = OptionsOf<typeof agentRunOptions>
export type AgentServeOptions = OptionsOf<typeof agentServeOptions>
export type AgentGraphOptions = OptionsOf<typeof agentGraphOptions>
