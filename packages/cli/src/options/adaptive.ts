/** The options of `joust mutate`, `joust search`, and of runs with rewritten baits. */
import { tiers } from '@joust/oatf/enumerations'
import { type OptionsOf, type OptionTable, option, REQUIRED, type TargetedTable, targeted } from './option.ts'
import { choice, count, path, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const mutateOptions = {
  by: option({ value: texts('name'), default: [], help: 'the mutations to apply, or all; a+b applies b to what a has made' }),
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'write a file for each mutant into this folder; else they are printed' }),
  list: option({ value: toggle, default: false, conflicts: ['by', 'out'], help: 'list the mutations, and what each of them does' }),
  json: option({ value: toggle, default: false, needs: ['list'], help: 'print the list as JSON' }),
} satisfies OptionTable

/** What `joust run` knows of it. */
// biome-ignore format: a row is a line
export const adaptiveOptions = {
  attacker: targeted({ group: 'Choice', value: text('provider/model'), default: undefined, targets: 'all', help: 'a model that writes what documents leave to one (synthesize), before the run; sim/attacker needs no key' }),
  mutate: targeted({ group: 'Choice', value: texts('name'), default: [], targets: 'all', help: 'run each attack also with its bait rewritten: names of mutations, or all (joust mutate --list)' }),
} satisfies TargetedTable

/** What `joust search` has beside the options of a run. */
// biome-ignore format: a row is a line
export const searchOwnOptions = {
  attacker: option({ group: 'Search', value: text('provider/model'), default: REQUIRED, help: 'the model that proposes baits; sim/attacker needs no key and tries the mutations one by one, then in pairs' }),
  rounds: option({ group: 'Search', value: count(), default: 5, help: 'how often the attacker may propose' }),
  branches: option({ group: 'Search', value: count(), default: 4, help: 'how many baits it proposes in a round' }),
  until: option({ group: 'Search', value: choice('tier', tiers), default: undefined, help: 'go on until the agent goes this far; any success by default' }),
  confirm: option({ group: 'Search', value: count(), default: 3, help: 'how often what was found has to work, and each shorter bait' }),
  shorten: option({ group: 'Search', value: count(0), default: 60, help: 'how many shorter baits are tried, 0 for none' }),
} satisfies OptionTable

export type SearchOwnOptions = OptionsOf<typeof searchOwnOptions>
export type MutateOptions = OptionsOf<typeof mutateOptions>
