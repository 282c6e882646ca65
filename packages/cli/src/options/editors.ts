/** The options of `joust studio` and `joust language-server`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { port, text, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const studioOptions = {
  port: option({ short: 'p', value: port, default: 0, help: 'the port on 127.0.0.1; any free one by default' }),
  queue: option({ value: text('url'), default: undefined, help: 'also show and submit campaigns of this PostgreSQL database: postgres://…' }),
  noOpen: option({ value: toggle, default: false, help: 'print the address without opening a browser' }),
} satisfies OptionTable

export const languageServerOptions = {
  stdio: option({ value: toggle, default: false, help: 'communicate over standard input and output' }),
} satisfies OptionTable

export type LanguageServerOptions = OptionsOf<typeof languageServerOptions>
export type StudioOptions = OptionsOf<typeof studioOptions>
