/** `joust mutate`, `joust search` and `joust harden`. */
import { mutateOptions, searchOwnOptions } from '../options/adaptive.ts'
import { hardenOwnOptions, hardenRunOptions } from '../options/harden.ts'
import { runOptions } from '../options/run.ts'
import { type CommandRow, command } from './command.ts'

export const mutate = command({
  name: 'mutate',
  summary: 'rewrite the bait of attacks',
  description:
    'Makes new attacks from old ones: the same story with the bait worded in another way (language, encoding, typography, framing, ' +
    'tone, length) or placed elsewhere (parts, turns, surfaces). A mutant is an ordinary document; it names its bait, ' +
    'the fingerprint of its parent (x-joust-parent) and what was done (x-joust-mutations). Comments and layout stay. A mutation that does not ' +
    'apply to a document says why. Exits 1 when a document is not valid or no mutant was made.',
  arguments: {
    attack: { count: 'any', help: 'OATF documents: files, folders, quoted globs, or - for standard input' },
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

// A search compares with itself, and always starts from the one attack that is given.
const {
  baseline,
  forceBaseline,
  failOn,
  maxErrors,
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
  summary: 'look for a bait that gets through',
  description:
    'Runs an attack; where the agent resists, an attacker proposes other baits, sees what the agent did, and proposes better ' +
    'ones. Every candidate is an ordinary run with its trace and its outcome. What gets through is confirmed, shortened ' +
    'as far as it still works, and written as an attack of its own (found.oatf.yaml beside the results), ready to be a regression test. ' +
    'Ctrl-C ends the search and keeps what it has found.',
  arguments: { attack: { count: 'one', help: 'an OATF document' } },
  options: { ...searchOwnOptions, ...attackOptions },
  after: `
The attacker sees the attack, its bait, and what the agent sent, with secrets hidden. All runs and the attacker share one budget. Exit codes are those of joust run: 0 nothing got through, 1 to 3 something did, 5 not everything could be judged.
`,
  examples: [
    'joust search attack.oatf.yaml --model openai/gpt-5 --attacker anthropic/claude-sonnet-4-5 --rounds 8 --budget-tokens 500000',
    'joust search attack.oatf.yaml --on staging --attacker sim/attacker --rounds 10 --until boundary_breach',
  ],
  // What the options of a run mean depends on the project file, so they are read together with it.
  start: async ({ attack }, given, io) => (await import('../commands/search.ts')).search(String(attack), given, io),
}

export const harden: CommandRow = {
  name: 'harden',
  summary: 'find the smallest change to an agent file that stops attacks',
  description:
    'Runs attacks on an agent file and, from the traces of those that got through, derives restraints that the file could declare: one tool ' +
    'fewer, approval depending on arguments, a server denied, a budget, a depth of delegation, a policy, a tighter schema, and as a last resort ' +
    'instructions to the model. Then it searches for the smallest set under which the attacks fail and the task of each document (x-joust-task) is ' +
    'still done, proves it by runs, and prints a table and a diff of the file. Attacks that no declaration stops are named, with the reason.',
  arguments: { agent: { count: 'one', help: 'an agent file (.agf.yaml)' } },
  options: { ...hardenOwnOptions, ...hardenRunOptions },
  after: `
Restraints take away; none makes the agent wiser. Approvals are answered as --approve says, with no by default: a restraint that asks
a human is only as good as that human's answer. Each set is run --trials times, the last one --confirm times.
The folder of the results holds what got through before, with the restraints (hardening), and the same attacks afterwards: joust diff
compares the two. Exit codes: 0 everything that got through is stopped, or nothing did; 1 something is not; 64 wrong usage.
`,
  examples: [
    'joust harden clerk.agf.yaml --against attacks/',
    'joust harden clerk.agf.yaml --against found.oatf.yaml --trials 3 --confirm 10 --budget-tokens 500000',
    'joust harden clerk.agf.yaml --against attacks/ --by approval interface-schema --write',
  ],
  // What the options of a run mean depends on the project file, so they are read together with it.
  start: async ({ agent }, given, io) => (await import('../commands/harden.ts')).harden(String(agent), given, io),
}
