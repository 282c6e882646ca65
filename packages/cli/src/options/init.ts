/** The options of `joust init`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { toggle } from './values.ts'

export const initOptions = {
  yes: option({
    short: 'y',
    value: toggle,
    default: false,
    help: 'run the agent with a simulated model, without asking',
  }),
} satisfies OptionTable

export type InitOptions = OptionsOf<typeof initOptions>
