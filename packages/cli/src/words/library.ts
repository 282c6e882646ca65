/** The words of `joust library`. */
import type { Command } from 'commander'
import { examples } from '../terminal/help.ts'
import type { Io } from '../terminal/io.ts'

/** Adds the command. */
export function addLibrary(program: Command, io: Io, done: (code: number) => void): void {
  const library = program
    .command('library')
    .summary('the attacks that come with joust')
    .description('Lists and prints the attacks that come with joust.')
    .addHelpText('after', examples('joust library list --protocol a2a', 'joust library show time-bomb'))
  library
    .command('list')
    .description('Lists the attacks: id, severity, category, protocols, name and file.')
    .option('--tag <tag...>', 'only attacks with one of these tags')
    .option('--severity <level>', 'only attacks that are at least this severe')
    .option('--category <category...>', 'only attacks of these categories')
    .option('--protocol <protocol...>', 'only attacks that speak one of these: mcp, a2a, ag_ui')
    .option('--json', 'print the list as JSON')
    .action(async (options) => done(await (await import('../commands/library.ts')).libraryList(options, io)))
  library
    .command('show')
    .description('Prints the document of an attack.')
    .argument('<name>', 'its id, or its file without .oatf.yaml')
    .action(async (name) => done(await (await import('../commands/library.ts')).libraryShow(name, io)))
}
