/** All commands. Each command's own code is imported when it is called. */
import { Command } from 'commander'
import { harden, mutate, search } from './program/adaptive.ts'
import { agent } from './program/agent.ts'
import { addCommand, type CommandGroup, type CommandRow, exampleLines } from './program/command.ts'
import { completionOf } from './program/completion.ts'
import { conformance, explain, fmt, lint, migrate, validate } from './program/documents.ts'
import { languageServer, studio } from './program/editors.ts'
import { campaign, worker } from './program/fleet.ts'
import { demo, library, presets, prove } from './program/library.ts'
import { coverage, diff, evaluate, report } from './program/results.ts'
import { init, run } from './program/run.ts'
import { version } from './terminal/assets.ts'
import { withoutSecretsOf } from './terminal/credentials.ts'
import type { Io } from './terminal/io.ts'

/** In the order of the help. */
export const commands: readonly (CommandRow | CommandGroup)[] = [
  init,
  run,
  studio,
  campaign,
  worker,
  mutate,
  search,
  harden,
  report,
  diff,
  coverage,
  prove,
  library,
  presets,
  validate,
  lint,
  fmt,
  migrate,
  explain,
  evaluate,
  agent,
  languageServer,
  conformance,
  demo,
  completionOf(() => commands),
]

/** A fault in our words, without the value of an unknown option: it may be a key that a misspelled one was to pass. */
function faultText(text: string): string {
  return text.replace(/^error: /, 'joust: ').replace(/(unknown option '-[^=']*=).*?'(?=\n|$)/s, "$1…'")
}

/** The program for some words; `done` is called with the exit code of the command that ran. */
export function createProgram(argv: readonly string[], io: Io, done: (code: number) => void): Command {
  const program = new Command('joust')
    .description('Runs AI agents, attacks them over their real protocols, and says which attacks they survive.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .showHelpAfterError('joust help lists the commands, joust help COMMAND explains one')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(faultText(withoutSecretsOf(io.env, text))),
    })
    .addHelpText(
      'after',
      exampleLines(['joust demo', 'joust init && joust run', 'joust validate attacks/', 'joust explain V-005']),
    )
  // The help and suggestions need every command; one that is called needs no others, and starts faster.
  const called = commands.filter(({ name }) => name === argv[0])
  for (const row of called.length > 0 ? called : commands) addCommand(program, row, io, done)
  return program
}
