/** The options of `joust harden`. */
import { defined } from '@joust/source'
import { type OptionRow, type OptionsOf, type OptionTable, option, REQUIRED } from './option.ts'
import { runOptions } from './run.ts'
import { count, texts, toggle } from './values.ts'

/** The options of `joust harden` in addition to the run options. */
// biome-ignore format: a row is a line
export const hardenOwnOptions = {
  against: option({ group: 'Hardening', value: texts('attack'), default: REQUIRED, help: 'attacks to stop: attack documents, folders or quoted globs' }),
  by: option({ group: 'Hardening', value: texts('kind'), default: [], help: 'use only these kinds of restraints: drop-tool, approval, deny-server, interface-schema, delegation-depth, budget, governance, instructions; all by default' }),
  confirm: option({ group: 'Hardening', value: count(), default: 3, help: 'number of runs in which a set of restraints must hold to be accepted' }),
  write: option({ group: 'Hardening', value: toggle, default: false, help: 'write the restraints to the agent file and the files it refers to' }),
} satisfies OptionTable

// biome-ignore format: by subject
const shared = [
  'model', 'script', 'bind', 'prompt', 'approve', 'mcpVersion', 'inProcess', 'config', 'allowHost',
  'framework', 'id', 'grep', 'tag', 'severity', 'category', 'protocol', 'strict', 'noPreflight', 'price', 'verbose',
  'trials', 'concurrency', 'maxDuration', 'replyTimeout', 'observe', 'grace', 'budgetTokens', 'budgetCalls', 'budgetTime', 'retries',
  'out', 'report', 'redact', 'showSecrets', 'allowUnproven', 'judge', 'json', 'quiet',
]

const IN_PLACE = 'model to use instead of the models in the agent file; sim/… needs no key'

// The target is the agent file; options for other targets are removed.
export const hardenRunOptions: OptionTable = Object.fromEntries(
  Object.entries<OptionRow>(runOptions)
    .filter(([key]) => shared.includes(key))
    .map(([key, { value, help, default: otherwise, short, group }]) => [
      key,
      { value, help: key === 'model' ? IN_PLACE : help, default: otherwise, ...defined({ short, group }) },
    ]),
)

export type HardenOwnOptions = OptionsOf<typeof hardenOwnOptions>
