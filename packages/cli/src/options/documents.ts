/** The options of the commands that check documents: `validate`, `lint`, `fmt`, `migrate`, `agent check`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { choice, count, path, text, toggle } from './values.ts'

const quiet = option({ short: 'q', value: toggle, default: false, help: 'print errors only, no summary' })
const format = option({
  short: 'f',
  value: choice('format', ['text', 'json', 'sarif', 'github']),
  default: 'text',
  help: 'output format',
})

export const validateOptions = {
  format,
  quiet,
  strict: option({ value: toggle, default: false, help: 'also fail on warnings and on older spellings (dialects)' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const agentCheckOptions = {
  ...validateOptions,
  strict: option({ value: toggle, default: false, help: 'treat unknown fields as errors, and also fail on warnings' }),
  config: option({ short: 'c', value: text('file'), default: undefined, help: 'project file with the bindings; by default joust.yaml in this folder or a parent folder' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const lintOptions = {
  format,
  quiet,
  strict: option({ value: toggle, default: false, help: 'treat older spellings (dialects) as errors instead of translating them' }),
  rules: option({ value: path('file'), default: undefined, help: 'also search the texts of servers for the expressions in this file: rules.json from joust import agent-threat-rules' }),
  maxWarnings: option({ value: count(0), default: undefined, help: 'exit 1 if there are more warnings than this' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const migrateOptions = {
  write: option({ short: 'w', value: toggle, default: false, conflicts: ['check'], help: 'rewrite the files' }),
  check: option({ short: 'c', value: toggle, default: false, help: 'list the files that would be rewritten; exit 1 if there are any' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const fmtOptions = {
  ...migrateOptions,
  canonical: option({ value: toggle, default: false, help: 'write the canonical form of an attack: with all defaults, in the order of the specification, without comments' }),
  dropComments: option({ value: toggle, default: false, needs: ['write', 'canonical'], help: 'rewrite files even if their comments are lost' }),
} satisfies OptionTable

export type ValidateOptions = OptionsOf<typeof validateOptions>
export type AgentCheckOptions = OptionsOf<typeof agentCheckOptions>
export type LintOptions = OptionsOf<typeof lintOptions>
export type FmtOptions = OptionsOf<typeof fmtOptions>
export type MigrateOptions = OptionsOf<typeof migrateOptions>
