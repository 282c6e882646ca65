/** The options of `joust mutate`, `joust search`, and of runs with rewritten baits. */
import { tiers } from '@joust/oatf/enumerations'
import { type OptionsOf, type OptionTable, option, REQUIRED, type TargetedTable, targeted } from './option.ts'
import { choice, count, path, text, texts, toggle } from './values.ts'

// biome-ignore format: a row is a line
export const mutateOptions = {
  by: option({ value: texts('name'), default: [], help: 'mutations to apply, or all; a+b applies b to the result of a' }),
  baits: option({ value: path('file'), default: undefined, conflicts: ['list', 'by'], help: 'put each of these texts in front of the bait: baits.json from joust import agent-threat-rules' }),
  placebos: option({ value: path('file'), default: undefined, conflicts: ['list', 'by', 'baits'], help: 'use each of these harmless texts as the placebo: harmless.json from joust import agent-threat-rules' }),
  max: option({ value: count(1), default: 20, help: 'maximum number of texts of --baits or --placebos per attack, spread evenly over the file' }),
  out: option({ short: 'o', value: path('folder'), default: undefined, help: 'write each mutant to a file in this folder instead of printing them' }),
  list: option({ value: toggle, default: false, conflicts: ['by', 'out'], help: 'list the mutations with a description of each' }),
  json: option({ value: toggle, default: false, needs: ['list'], help: 'print the list as JSON' }),
} satisfies OptionTable

/** The adaptive options of `joust run`. */
// biome-ignore format: a row is a line
export const adaptiveOptions = {
  attacker: targeted({ group: 'Choice', identity: 'value', value: text('provider/model'), default: undefined, targets: 'all', help: 'model that writes the messages that attacks leave open (synthesize); sim/attacker needs no key' }),
  mutate: targeted({ group: 'Choice', identity: 'none', value: texts('name'), default: [], targets: 'all', help: 'also run each attack with its bait rewritten: names of mutations, or all (joust mutate --list)' }),
} satisfies TargetedTable

/** The options of `joust search` besides the run options. */
// biome-ignore format: a row is a line
export const searchOwnOptions = {
  attacker: option({ group: 'Search', value: text('provider/model'), default: REQUIRED, help: 'model that proposes baits; sim/attacker needs no key and tries the mutations one by one, then in pairs' }),
  rounds: option({ group: 'Search', value: count(), default: 5, help: 'number of rounds of proposals' }),
  branches: option({ group: 'Search', value: count(), default: 4, help: 'number of baits proposed per round' }),
  turns: option({ group: 'Search', value: count(), default: undefined, help: 'let the attacker talk to the agent: number of messages per conversation, each written after the answer to the previous one; --rounds is the number of conversations' }),
  until: option({ group: 'Search', value: choice('tier', tiers), default: undefined, help: 'search until the agent reaches this tier; any success by default' }),
  confirm: option({ group: 'Search', value: count(), default: 3, help: 'number of times a successful bait, and each shortened one, must work' }),
  shorten: option({ group: 'Search', value: count(0), default: 60, help: 'number of shortened baits to try; 0 for none' }),
} satisfies OptionTable

export type SearchOwnOptions = OptionsOf<typeof searchOwnOptions>
export type MutateOptions = OptionsOf<typeof mutateOptions>
