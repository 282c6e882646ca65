/** The options of `joust harden`. */
import { type OptionsOf, type OptionTable, option, REQUIRED } from './option.ts'
import { runOptions } from './run.ts'
import { count, texts, toggle } from './values.ts'

/** What it has beside the options of a run. */
// biome-ignore format: a row is a line
export const hardenOwnOptions = {
  against: option({ group: 'Hardening', value: texts('attack'), default: REQUIRED, help: 'the attacks to stop: OATF documents, folders, quoted globs' }),
  by: option({ group: 'Hardening', value: texts('kind'), default: [], help: 'use only these kinds of restraints: drop-tool, approval, deny-server, interface-schema, governance, delegation-depth, budget, instructions; all by default' }),
  confirm: option({ group: 'Hardening', value: count(), default: 3, help: 'how often a set of restraints has to do before it is believed' }),
  write: option({ group: 'Hardening', value: toggle, default: false, help: 'write the restraints into the agent file and those that it leads to' }),
} satisfies OptionTable

/** What of a run has a meaning where an agent file is hardened. */
const shared = [
  ...['model', 'script', 'bind', 'prompt', 'approve', 'mcpVersion', 'inProcess', 'config', 'allowHost'],
  ...['tag', 'severity', 'category', 'protocol', 'strict'],
  ...[
    'trials',
    'concurrency',
    'maxDuration',
    'observe',
    'grace',
    'budgetTokens',
    'budgetCalls',
    'budgetTime',
    'retries',
  ],
  ...['out', 'report', 'redact', 'showSecrets', 'judge', 'json', 'quiet'],
]

export const hardenRunOptions: OptionTable = Object.fromEntries(
  Object.entries(runOptions).filter(([key]) => shared.includes(key)),
)

export type HardenOwnOptions = OptionsOf<typeof hardenOwnOptions>
