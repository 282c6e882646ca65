/** The options of `joust studio`, `joust language-server` and `joust model serve`. */
import { type OptionsOf, type OptionTable, option } from './option.ts'
import { port, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const studioOptions = {
  port: option({ short: 'p', value: port, default: 0, help: 'port on 127.0.0.1; any free port by default' }),
  queue: option({ value: text('url'), default: undefined, help: 'also show and submit campaigns in this PostgreSQL database: postgres://…' }),
  noOpen: option({ value: toggle, default: false, help: 'print the URL without opening a browser' }),
} satisfies OptionTable

export const languageServerOptions = {
  stdio: option({ value: toggle, default: false, help: 'communicate over standard input and output' }),
} satisfies OptionTable

export type LanguageServerOptions = OptionsOf<typeof languageServerOptions>
export type StudioOptions = OptionsOf<typeof studioOptions>

// biome-ignore format: a row is a line
export const modelServeOptions = {
  model: option({ short: 'm', value: text('ref'), default: undefined, help: 'answer with this model: sim/credulous, sim/cautious, sim/silent, or provider/name' }),
  upstream: option({ value: text('url'), default: undefined, help: 'pass requests unchanged to this provider' }),
  replay: option({ value: text('file'), default: undefined, help: 'answer from this recording' }),
  record: option({ value: text('file'), default: undefined, help: 'record all calls in this file; keys are never recorded' }),
  port: option({ short: 'p', value: port, default: 0, help: 'port on 127.0.0.1; any free port by default' }),
  tool: option({ value: texts('name'), default: [], help: 'tools that --model may call; * matches any text' }),
  ownTools: option({ value: toggle, default: false, help: 'let --model call every tool that the agent offers' }),
  quiet: option({ short: 'q', value: toggle, default: false, help: 'do not print calls to stderr' }),
} satisfies OptionTable

export type ModelServeOptions = OptionsOf<typeof modelServeOptions>
