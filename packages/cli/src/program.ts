/** All commands. Each command's own code is imported when it is called. */
import { joustVersion } from '@joust/source'
import { Command } from 'commander'
import { harden, mutate, search } from './program/adaptive.ts'
import { agent } from './program/agent.ts'
import { aim, importBenchmark, record } from './program/authoring.ts'
import { addCommand, type CommandGroup, type CommandRow, exampleLines } from './program/command.ts'
import { completionOf } from './program/completion.ts'
import { conformance, explain, fmt, lint, migrate, validate } from './program/documents.ts'
import { campaign, worker } from './program/fleet.ts'
import { demo, library, presets, prove } from './program/library.ts'
import { coverage, diff, evaluate, report } from './program/results.ts'
import { init, preflight, run } from './program/run.ts'
import { languageServer, model, studio } from './program/services.ts'
import { withoutSecretsOf } from './terminal/credentials.ts'
import type { Io } from './terminal/io.ts'

export const commands: readonly (CommandRow | CommandGroup)[] = [
  init,
  preflight,
  run,
  studio,
  campaign,
  worker,
  record,
  aim,
  mutate,
  search,
  harden,
  report,
  diff,
  coverage,
  importBenchmark,
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
  model,
  languageServer,
  conformance,
  demo,
  completionOf(() => commands),
]

/** Rewords a Commander error, and hides the value of an unknown option: a misspelled option may contain a secret. */
function faultText(text: string): string {
  return text.replace(/^error: /, 'joust: ').replace(/(unknown option '-[^=']*=).*?'(?=\n|$)/s, "$1…'")
}

/** Creates the program for a command line; `done` is called with the exit code of the command that ran. */
export function createProgram(argv: readonly string[], io: Io, done: (code: number) => void): Command {
  const program = new Command('joust')
    .description('Runs AI agents, attacks them over their real protocols, and reports which attacks succeed.')
    .version(joustVersion, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .showHelpAfterError('run joust help for a list of commands, joust help COMMAND for help on a command')
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
  // Help and suggestions need every command; a called command starts faster without the others.
  const called = commands.filter(({ name }) => name === argv[0])
  for (const row of called.length > 0 ? called : commands) addCommand(program, row, io, done)
  return program
}
