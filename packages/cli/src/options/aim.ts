/** The options of `joust aim`. */
import { flowFormats, techniqueNames } from '@joust/authoring/names'
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { choice, choices, count, pairs, path, text, texts, toggle } from './values.ts'

/** The configuration that is used without any input. */
export const MCP_CONFIG = '.mcp.json'

// biome-ignore format: a row is a line
export const aimOptions = {
  mcpConfig: option({ group: 'Input', value: texts('file'), default: [], help: 'configurations of MCP servers, which are started and listed; .mcp.json in this folder by default' }),
  tools: option({ group: 'Input', value: texts('file'), default: [], help: 'lists of tools as JSON or YAML: MCP tools or function definitions' }),
  on: option({ group: 'Input', value: texts('name'), default: [], help: 'targets of joust.yaml whose tools are used: agent files and MCP endpoints' }),
  config: option({ group: 'Input', value: path('file'), default: undefined, help: 'the project file; by default joust.yaml in this folder or a parent folder' }),
  yes: option({ group: 'Input', short: 'y', value: toggle, default: false, help: 'start the servers of .mcp.json in this folder without a question' }),
  call: option({ group: 'Input', value: texts('tool'), default: [], help: 'tools that may be called once with harmless arguments, for real answers; without it no tool is called' }),
  flows: option({ group: 'Output', value: toggle, default: false, help: 'print the labels of the tools with their reasons, and the flows; write no attacks' }),
  format: option({ group: 'Output', value: choice('format', flowFormats), default: 'text', needs: ['flows'], help: 'the format of the flows' }),
  label: option({ group: 'Choice', value: pairs('server/tool', 'labels'), default: {}, help: 'correct the labels of a tool and keep them in joust.yaml: source, private and sink, separated by commas, or none' }),
  by: option({ group: 'Choice', value: text('provider/model'), default: undefined, help: 'a model that refines the labels; descriptions of tools are only data to it' }),
  technique: option({ group: 'Choice', value: choices('name', techniqueNames), default: [], help: 'only these techniques' }),
  max: option({ group: 'Bounds', value: count(), default: 24, help: 'the most documents to write, spread over the flows' }),
  out: option({ group: 'Output', short: 'o', value: path('folder'), default: 'attacks/aimed', help: 'the folder for the documents' }),
  json: option({ group: 'Output', value: toggle, default: false, conflicts: ['flows'], help: 'print the documents and the rejected ones as JSON' }),
  quiet: option({ group: 'Output', short: 'q', value: toggle, default: false, help: 'print no progress' }),
} satisfies OptionTable

export type AimOptions = OptionsOf<typeof aimOptions>
