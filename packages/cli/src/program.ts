/** The words of the command line. Each command's own code is imported when it is called. */
import { Argument, Command, Option } from 'commander'
import { formats } from './check/formats.ts'
import { addAgent } from './commands/agent/agent.ts'
import { examples } from './terminal/help.ts'
import type { Io } from './terminal/io.ts'
import { version } from './terminal/version.ts'
import { addEvaluate } from './words/evaluate.ts'
import { addLibrary } from './words/library.ts'
import { addProve } from './words/prove.ts'
import { addCoverage, addDiff, addReport } from './words/results.ts'
import { addRun } from './words/run.ts'

/** The program; `done` gets the exit code of the command that ran. */
export function createProgram(io: Io, done: (code: number) => void): Command {
  const program = new Command('joust')
    .description('Checks attacks (OATF) and agents (Agent Format), judges what agents made of attacks, runs agents.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .showHelpAfterError('joust help lists the commands, joust help COMMAND explains one')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .addHelpText('after', examples('joust validate attacks/', 'joust explain V-005', 'joust demo'))
  for (const add of [
    addRun,
    addReport,
    addDiff,
    addCoverage,
    addProve,
    addLibrary,
    addValidate,
    addLint,
    addFmt,
    addExplain,
    addEvaluate,
    addAgent,
    addConformance,
    addDemo,
  ])
    add(program, io, done)
  return program
}

type AddCommand = (program: Command, io: Io, done: (code: number) => void) => void

const addValidate: AddCommand = (program, io, done) => {
  program
    .command('validate')
    .summary('check documents')
    .description(
      'Checks OATF and Agent Format documents, told apart by their content, and prints every finding with its place.\nAn agent is checked with everything it leads to. Exits 1 when there is an error.',
    )
    .argument('<path...>', 'files, folders, quoted globs (*, **, ?, {a,b}), or - for standard input')
    .addOption(new Option('-f, --format <format>', 'how to print').choices(formats).default('text'))
    .option('-q, --quiet', 'print errors only, no summary')
    .option('--strict', 'let warnings fail, too')
    .addHelpText(
      'after',
      examples(
        'joust validate attack.oatf.yaml team.agf.yaml',
        "joust validate 'library/**/*.oatf.yaml' --strict",
        'joust validate . --format sarif > joust.sarif',
        'cat attack.oatf.yaml | joust validate -',
      ),
    )
    .action(async (paths, options) => done(await (await import('./commands/validate.ts')).validate(paths, options, io)))
}

const addLint: AddCommand = (program, io, done) => {
  program
    .command('lint')
    .summary('find what is legal and will not work')
    .description(
      'Finds what conformance does not: indicators that look where no message has anything, or that match what the attacker ' +
        'itself sends, phases that are never reached, templates that stay empty, keys without effect. Exits 1 when it finds ' +
        'something. Lint needs valid OATF documents; of others the errors are printed, as validate does.',
    )
    .argument('<path...>', 'files, folders, quoted globs (*, **, ?, {a,b}), or - for standard input')
    .addOption(new Option('-f, --format <format>', 'how to print').choices(formats).default('text'))
    .option('-q, --quiet', 'print findings only, no summary')
    .addHelpText(
      'after',
      `
A target such as response.content validates, but an MCP response has no such field: the indicator can never match, and
every agent seems to resist. Lint says so and names the path that exists, content[*].text.
${examples('joust lint attack.oatf.yaml', 'joust lint library/ --format github', 'joust explain L-001')}`,
    )
    .action(async (paths, options) => done(await (await import('./commands/lint.ts')).lint(paths, options, io)))
}

const addFmt: AddCommand = (program, io, done) => {
  program
    .command('fmt')
    .summary('print or write the canonical form')
    .description('Prints the canonical form of a document: normalized, fields in the order of the specification.')
    .argument('<path...>', 'files, folders, quoted globs, or - for standard input')
    .addOption(new Option('-w, --write', 'rewrite the files').conflicts('check'))
    .option('-c, --check', 'list files that differ from their canonical form, exit 1 if there are any')
    .option('--drop-comments', 'with --write: rewrite files with comments, which are lost')
    .addHelpText('after', examples('joust fmt attack.oatf.yaml', 'joust fmt --check .', 'joust fmt --write library/'))
    .action(async (paths, options) => done(await (await import('./commands/fmt.ts')).fmt(paths, options, io)))
}

const addExplain: AddCommand = (program, io, done) => {
  program
    .command('explain')
    .summary('explain a code')
    .description('Says what a rule (V-, W-), a lint rule (L-) or a normalization step (N-) is about, with examples.')
    .argument('[code]', 'for example V-005; without it all codes are listed')
    .addHelpText('after', examples('joust explain V-005', 'joust explain n1', 'joust explain'))
    .action(async (code) => done(await (await import('./commands/explain.ts')).explain(code, io)))
}

const addConformance: AddCommand = (program, io, done) => {
  program
    .command('conformance')
    .summary('run the official fixtures')
    .description('Runs a directory in the layout of the official OATF conformance fixtures against this SDK.')
    .addArgument(new Argument('<directory>', 'the directory with parse/, validate/, normalize/ and so on'))
    .addHelpText('after', examples('joust conformance spec/conformance'))
    .action(async (directory) => done(await (await import('./commands/conformance.ts')).conformance(directory, io)))
}

const addDemo: AddCommand = (program, io, done) => {
  program
    .command('demo')
    .summary('see it work')
    .description(
      'Runs the library against three simulated agents, prints the verdicts side by side and writes a report. Needs no key.',
    )
    .addHelpText('after', examples('joust demo'))
    .action(async () => done(await (await import('./commands/demo.ts')).demo(io)))
}
