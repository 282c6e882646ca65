/** The options of the commands that check documents: `validate`, `lint`, `fmt`, `agent check`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { choice, toggle } from './values.ts'

const format = option({
  short: 'f',
  value: choice('format', ['text', 'json', 'sarif', 'github']),
  default: 'text',
  help: 'how to print',
})

export const validateOptions = {
  format,
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print errors only, no summary' }),
  strict: option({
    value: toggle,
    default: false,
    help: 'let warnings fail, too, and everything that is not in the words of the specification',
  }),
} satisfies OptionTable

export const agentCheckOptions = {
  ...validateOptions,
  strict: option({ value: toggle, default: false, help: 'let unknown fields be errors and warnings fail, too' }),
} satisfies OptionTable

export const lintOptions = {
  format,
  quiet: option({ short: 'q', value: toggle, default: false, help: 'print findings only, no summary' }),
  strict: option({ value: toggle, default: false, help: 'lint documents in a dialect as they are written' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const fmtOptions = {
  write: option({ short: 'w', value: toggle, default: false, conflicts: ['check'], help: 'rewrite the files' }),
  check: option({ short: 'c', value: toggle, default: false, help: 'list files that differ from their canonical form, exit 1 if there are any' }),
  dropComments: option({ value: toggle, default: false, needs: ['write'], help: 'rewrite files with comments, which are lost' }),
} satisfies OptionTable

export type ValidateOptions = OptionsOf<typeof validateOptions>
export type LintOptions = OptionsOf<typeof lintOptions>
export type FmtOptions = OptionsOf<typeof fmtOptions>
