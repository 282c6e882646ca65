/** The words of `joust prove`. */
import type { Command } from 'commander'
import { examples } from '../terminal/help.ts'
import type { Io } from '../terminal/io.ts'

/** Adds the command. */
export function addProve(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('prove')
    .summary('does a document tell agents apart?')
    .description(
      'Runs each document against simulated agents: a credulous one has to be exploited, a cautious one has to resist, and ' +
        'where nobody comes the verdict has to be an error. Exits 1 when one comes out otherwise.',
    )
    .argument('<attack...>', 'OATF documents: files, folders, quoted globs')
    .option('--json', 'print the proofs as JSON')
    .option('-q, --quiet', 'no summary')
    .addHelpText('after', examples('joust prove attack.oatf.yaml', 'joust prove library'))
    .action(async (attacks, options) => done(await (await import('../commands/prove.ts')).prove(attacks, options, io)))
}
