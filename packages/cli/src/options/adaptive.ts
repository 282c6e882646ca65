/** The options of `joust mutate`, `joust search`, and of runs with rewritten baits. */
import { tiers } from '@joust/oatf/enumerations'
import { type OptionsOf, type OptionTable, option, REQUIRED, type TargetedTable, targeted } from './option.ts'
import { choice, count, path, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const mutateOptions = {
  by: option({ value: texts('name'), default: [], help: 'the mutations to apply, or all; a+b applies b to the result of a' }),
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'write each mutant to a file in this folder instead of printing them' }),
  list: option({ value: toggle, default: false, conflicts: ['by', 'out'], help: 'list the mutations, and what each of them does' }),
  json: option({ value: toggle, default: false, needs: ['list'], help: 'print the list as JSON' }),
} satisfies OptionTable

/** Those of `joust run`. */
// biome-ignore format: a row is a line
export const adaptiveOptions = {
  attacker: targeted({ group: 'Choice', identity: 'value', value: text('provider/model'), default: undefined, targets: 'all', help: 'the model that writes what documents leave to a model (synthesize) before the run; sim/attacker needs no key' }),
  mutate: targeted({ group: 'Choice', identity: 'none', value: texts('name'), default: [], targets: 'all', help: 'also run each attack with its bait rewritten: names of mutations, or all (joust mutate --list)' }),
} satisfies TargetedTable

/** What `joust search` has besides the options of a run. */
// biome-ignore format: a row is a line
export const searchOwnOptions = {
  attacker: option({ group: 'Search', value: text('provider/model'), default: REQUIRED, help: 'the model that proposes baits; sim/attacker needs no key and tries the mutations one by one, then in pairs' }),
  rounds: option({ group: 'Search', value: count(), default: 5, help: 'how many rounds of proposals the attacker gets' }),
  branches: option({ group: 'Search', value: count(), default: 4, help: 'how many baits it proposes per round' }),
  until: option({ group: 'Search', value: choice('tier', tiers), default: undefined, help: 'search until the agent goes this far; any success by default' }),
  confirm: option({ group: 'Search', value: count(), default: 3, help: 'how many times a find, and each shorter bait, has to work' }),
  shorten: option({ group: 'Search', value: count(0), default: 60, help: 'how many shorter baits to try; 0 for none' }),
} satisfies OptionTable

export type SearchOwnOptions = OptionsOf<typeof searchOwnOptions>
export type MutateOptions = OptionsOf<typeof mutateOptions>
