/** The options of `joust mutate` and `joust search`, and those for runs with rewritten bait. */
import { tiers } from '@joust/oatf/enumerations'
import { type OptionsOf, type OptionTable, option, REQUIRED, type TargetedTable, targeted } from './option.ts'
import { choice, count, path, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const mutateOptions = {
  by: option({ value: texts('name'), default: [], help: 'mutations to apply, or all; a+b applies a, then b' }),
  baits: option({ value: path('file'), default: undefined, conflicts: ['list', 'by'], help: 'file of texts to put in front of the bait, one mutant for each: baits.json from joust import agent-threat-rules' }),
  placebos: option({ value: path('file'), default: undefined, conflicts: ['list', 'by', 'baits'], help: 'file of harmless texts to use as the placebo, one mutant for each: harmless.json from joust import agent-threat-rules' }),
  max: option({ value: count(1), default: 20, help: 'maximum number of texts per attack from --baits or --placebos, spread evenly over the file' }),
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'write each mutant to a file in this folder instead of printing it' }),
  list: option({ value: toggle, default: false, conflicts: ['by', 'out'], help: 'list all mutations with their descriptions' }),
  json: option({ value: toggle, default: false, needs: ['list'], help: 'print the list as JSON' }),
} satisfies OptionTable

// biome-ignore format: a row is a line
export const adaptiveOptions = {
  attacker: targeted({ group: 'Choice', identity: 'value', value: text('provider/model'), default: undefined, targets: 'all', help: 'model that writes the messages that attacks mark with synthesize; sim/attacker needs no key' }),
  mutate: targeted({ group: 'Choice', identity: 'none', value: texts('name'), default: [], targets: 'all', help: 'also run each attack with rewritten bait: names of mutations, or all (see joust mutate --list)' }),
} satisfies TargetedTable

/** The options of `joust search` in addition to the run options. */
// biome-ignore format: a row is a line
export const searchOwnOptions = {
  attacker: option({ group: 'Search', value: text('provider/model'), default: REQUIRED, help: 'model that proposes baits; sim/attacker needs no key and tries the mutations one by one, then in pairs' }),
  rounds: option({ group: 'Search', value: count(), default: 5, help: 'number of rounds' }),
  branches: option({ group: 'Search', value: count(), default: 4, help: 'number of baits proposed per round' }),
  turns: option({ group: 'Search', value: count(), default: undefined, help: 'let the attacker converse with the agent: number of messages per conversation, each written after the answer to the previous one; --rounds then sets the number of conversations' }),
  until: option({ group: 'Search', value: choice('tier', tiers), default: undefined, help: 'search until an attack reaches this tier; until any success by default' }),
  confirm: option({ group: 'Search', value: count(), default: 3, help: 'number of runs in which a successful or shortened bait must succeed again' }),
  shorten: option({ group: 'Search', value: count(0), default: 60, help: 'number of shortened baits to try; 0 for none' }),
} satisfies OptionTable

export type SearchOwnOptions = OptionsOf<typeof searchOwnOptions>
export type MutateOptions = OptionsOf<typeof mutateOptions>
