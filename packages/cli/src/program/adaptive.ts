/** `joust mutate`, `joust search` and `joust harden`. */
import { mutateOptions, searchOwnOptions } from '../options/adaptive.ts'
import { hardenOwnOptions, hardenRunOptions } from '../options/harden.ts'
import { runOptions } from '../options/run.ts'
import { type CommandRow, command } from './command.ts'

export const mutate = command({
  name: 'mutate',
  summary: 'rewrite an attack: reword, encode or move its harmful text',
  description:
    'Writes variants of attacks: the same attack with its bait reworded (language, encoding, typography, framing, tone, length) ' +
    'or relocated (parts, turns, surfaces). A mutant is an ordinary attack document that specifies its bait, the fingerprint of its ' +
    'parent (x-joust-parent) and the mutations applied (x-joust-mutations). Comments and layout are preserved. If a mutation does not ' +
    'apply to a document, the reason is printed. Exits 1 if a document is invalid or no mutant was written.',
  arguments: {
    attack: { count: 'any', help: 'attack documents: files, folders, quoted globs, or - for standard input' },
  },
  options: mutateOptions,
  examples: [
    'joust mutate --list',
    'joust mutate attack.oatf.yaml --by urgent',
    'joust mutate library --by all --out mutants',
    'joust mutate attack.oatf.yaml --by german+base64 | joust run - --model sim/credulous',
  ],
  run: async ({ attack }, options, io) => (await import('../commands/mutate.ts')).mutate(attack, options, io),
})

// A search is its own baseline and always starts from a single attack.
const {
  baseline,
  forceBaseline,
  failOn,
  maxErrors,
  maxTrials,
  decide,
  arms,
  resume,
  dryRun,
  mutate: _,
  attacker,
  queue,
  name,
  detach,
  watch,
  ...attackOptions
} = runOptions

export const search: CommandRow = {
  name: 'search',
  summary: 'let a model rewrite an attack until it succeeds',
  description:
    'Runs an attack; if the agent resists, an attacker model proposes other baits, reads the response from the agent and proposes ' +
    'better ones. Every candidate is an ordinary run with a trace and an outcome. A bait that succeeds is confirmed, shortened ' +
    'as far as possible, and written as a new attack (found.oatf.yaml next to the results), ready for use as a regression test. ' +
    'Ctrl-C ends the search and keeps its results.',
  arguments: { attack: { count: 'one', help: 'an attack document' } },
  options: { ...searchOwnOptions, ...attackOptions },
  after: `
The attacker sees the attack, its bait and the agent's messages, with secrets hidden. All runs and the attacker share one budget. Exit codes are those of joust run: 0 no bait succeeded, 1 to 3 a bait succeeded, 5 some runs were inconclusive.
`,
  examples: [
    'joust search attack.oatf.yaml --model openai/gpt-5 --attacker anthropic/claude-sonnet-4-5 --rounds 8 --budget-tokens 500000',
    'joust search attack.oatf.yaml --on staging --attacker sim/attacker --rounds 10 --until boundary_breach',
  ],
  // The project file can change the options of a run, so both are read together.
  start: async ({ attack }, given, io) => (await import('../commands/search.ts')).search(String(attack), given, io),
}

export const harden: CommandRow = {
  name: 'harden',
  summary: 'find the smallest change to an agent file that stops attacks',
  description:
    'Runs attacks on an agent file and derives restraints from the traces of successful attacks: a removed tool, approval depending on ' +
    'arguments, a denied server, a budget, a delegation depth, a policy, a stricter schema and, as a last resort, instructions to the model. ' +
    'Then searches for the smallest set that stops the attacks while the user task of each document (x-joust-task) is still completed, confirms ' +
    'it with more runs, and prints a table and a diff of the file. Attacks that no restraint stops are listed with the reason.',
  arguments: { agent: { count: 'one', help: 'an agent file (.agf.yaml)' } },
  options: { ...hardenOwnOptions, ...hardenRunOptions },
  after: `
Restraints only remove permissions. --approve answers approval requests, and denies them by default: a restraint that asks a person
is only as good as the answer. Each set is run --trials times, the last set --confirm times.
The results folder contains the successful attacks with the restraints (hardening), and the same attacks afterwards; joust diff
compares the two. Exit codes: 0 every attack is stopped, or none succeeded; 1 an attack still succeeds; 64 wrong usage.
`,
  examples: [
    'joust harden clerk.agf.yaml --against attacks/',
    'joust harden clerk.agf.yaml --against found.oatf.yaml --trials 3 --confirm 10 --budget-tokens 500000',
    'joust harden clerk.agf.yaml --against attacks/ --by approval interface-schema --write',
  ],
  // The project file can change the options of a run, so both are read together.
  start: async ({ agent }, given, io) => (await import('../commands/harden.ts')).harden(String(agent), given, io),
}
