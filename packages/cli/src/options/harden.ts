/** The options of `joust harden`. */
import { type OptionRow, type OptionsOf, type OptionTable, option, REQUIRED } from './option.ts'
import { runOptions } from './run.ts'
import { count, texts, toggle } from './values.ts'

/** What it has besides the options of a run. */
// biome-ignore format: a row is a line
export const hardenOwnOptions = {
  against: option({ group: 'Hardening', value: texts('attack'), default: REQUIRED, help: 'the attacks to stop: OATF documents, folders, quoted globs' }),
  by: option({ group: 'Hardening', value: texts('kind'), default: [], help: 'use only these kinds of restraints: drop-tool, approval, deny-server, interface-schema, delegation-depth, budget, instructions; all by default' }),
  confirm: option({ group: 'Hardening', value: count(), default: 3, help: 'how many times a set of restraints has to hold before it counts' }),
  write: option({ group: 'Hardening', value: toggle, default: false, help: 'write the restraints into the agent file and the files it refers to' }),
} satisfies OptionTable

/** The options of a run that make sense when an agent file is hardened. */
// biome-ignore format: by subject
const shared = [
  'model', 'script', 'bind', 'prompt', 'approve', 'mcpVersion', 'inProcess', 'config', 'allowHost',
  'id', 'grep', 'tag', 'severity', 'category', 'protocol', 'strict', 'noControl', 'price', 'verbose',
  'trials', 'concurrency', 'maxDuration', 'replyTimeout', 'observe', 'grace', 'budgetTokens', 'budgetCalls', 'budgetTime', 'retries',
  'out', 'report', 'redact', 'showSecrets', 'judge', 'json', 'quiet',
]

const IN_PLACE = 'a model in place of those that the agent file names; sim/… need no key'

// The target is the agent file; options that contradict this or need another target are left out.
export const hardenRunOptions: OptionTable = Object.fromEntries(
  Object.entries<OptionRow>(runOptions)
    .filter(([key]) => shared.includes(key))
    .map(([key, { value, help, default: otherwise, short, group }]) => [
      key,
      {
        value,
        help: key === 'model' ? IN_PLACE : help,
        default: otherwise,
        ...(short && { short }),
        ...(group && { group }),
      },
    ]),
)

export type HardenOwnOptions = OptionsOf<typeof hardenOwnOptions>
