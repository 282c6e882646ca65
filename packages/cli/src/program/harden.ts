/** `joust harden`. */
import { hardenOwnOptions, hardenRunOptions } from '../options/harden.ts'
import { examples } from '../terminal/help.ts'
import type { CommandRow } from './command.ts'

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
${examples(
  'joust harden clerk.agf.yaml --against attacks/',
  'joust harden clerk.agf.yaml --against found.oatf.yaml --trials 3 --confirm 10 --budget-tokens 500000',
  'joust harden clerk.agf.yaml --against attacks/ --by approval interface-schema --write',
)}`,
  // What the options of a run mean depends on the project file, so they are read together with it.
  start: async ({ agent }, given, io) => (await import('../commands/harden.ts')).harden(String(agent), given, io),
}
