/** The options of `joust mutate`, `joust search`, and of runs with rewritten baits. */
import { type OptionsOf, type OptionTable, option, type TargetedTable, targeted } from './option.ts'
import { path, texts, toggle } from './values.ts'

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
  mutate: targeted({ group: 'Choice', value: texts('name'), default: [], targets: 'all', help: 'run each attack also with its bait rewritten: names of mutations, or all (joust mutate --list)' }),
} satisfies TargetedTable

export type MutateOptions = OptionsOf<typeof mutateOptions>
