/** `joust validate`, `joust lint`, `joust fmt`, `joust migrate`, `joust explain` and `joust conformance`. */
import { fmtOptions, lintOptions, migrateOptions, validateOptions } from '../options/documents.ts'
import { command } from './command.ts'

const PATHS = 'files, folders, quoted globs (*, **, ?, {a,b}), or - for standard input'

export const validate = command({
  name: 'validate',
  summary: 'check documents',
  description:
    'Checks OATF and Agent Format documents, told apart by their content, and joust.yaml where it is named, and prints every finding ' +
    'with its place. An agent is checked together with everything it refers to. An attack in a dialect is checked as joust reads it; D- warnings say what was ' +
    'translated, and are errors with --strict. Exits 1 when there is an error.',
  arguments: { path: { count: 'many', help: PATHS } },
  options: validateOptions,
  examples: [
    'joust validate attack.oatf.yaml team.agf.yaml',
    "joust validate 'library/**/*.oatf.yaml' --strict",
    'joust validate . --format sarif > joust.sarif',
    'cat attack.oatf.yaml | joust validate -',
  ],
  run: async ({ path }, options, io) => (await import('../commands/validate.ts')).validate(path, options, io),
})

export const lint = command({
  name: 'lint',
  summary: 'find what is valid but cannot work',
  description:
    'Finds what validation does not: indicators that look where no message has anything, or that match what the attacker ' +
    'itself sends, phases that are never reached, templates that stay empty, keys without effect. What cannot work is an ' +
    'error, and the command exits 1; what may be intended is a warning. Lint needs valid OATF documents; for others it prints the errors that validate finds.',
  arguments: { path: { count: 'many', help: PATHS } },
  options: lintOptions,
  after: `
A target such as result.content validates, but no message has it: the indicator can never match, and every agent seems
to resist. Lint says so and names the path that exists, content[*].text. A dialect of another tool that joust understands is
translated first and reported (D-); --strict lints such a document as it is written. --max-warnings 0 allows no warning at all.
`,
  examples: [
    'joust lint attack.oatf.yaml',
    'joust lint library/ --max-warnings 0 --format github',
    'joust explain L-001',
  ],
  run: async ({ path }, options, io) => (await import('../commands/lint.ts')).lint(path, options, io),
})

export const fmt = command({
  name: 'fmt',
  summary: 'format documents, or write their canonical form',
  description:
    'Formats OATF and Agent Format documents: two spaces per level, at most one blank line, no needless quotes. Comments, order ' +
    'and values stay, and characters that hide or reorder text become visible as escapes. The document need not be valid.\n' +
    '--canonical gives the fully expanded form of an attack (OATF §11.2.9), for tools that compare documents.',
  arguments: { path: { count: 'many', help: PATHS } },
  options: fmtOptions,
  examples: [
    'joust fmt attack.oatf.yaml',
    'joust fmt --check .',
    'joust fmt --write library/ team.agf.yaml',
    'joust fmt --canonical attack.oatf.yaml',
  ],
  run: async ({ path }, options, io) => (await import('../commands/fmt.ts')).fmt(path, options, io),
})

export const migrate = command({
  name: 'migrate',
  summary: 'rewrite attacks in older dialects as the specification has them now',
  description:
    'Rewrites in a document what joust translates when it reads it: old names of surfaces and actions, targets of other tools, ' +
    'messages without ids. Nothing else changes; comments and layout stay. Prints a diff, and on stderr a line for each translation ' +
    'with its code. Exits 1 when a document cannot be read or written.',
  arguments: { path: { count: 'many', help: PATHS } },
  options: migrateOptions,
  examples: [
    'joust migrate attack.yaml',
    'joust migrate scenarios/ > migrate.patch',
    'joust migrate --write scenarios/',
    'joust migrate --check .',
  ],
  run: async ({ path }, options, io) => (await import('../commands/migrate.ts')).migrate(path, options, io),
})

export const explain = command({
  name: 'explain',
  summary: 'explain a code or a mutation',
  description:
    'Explains a rule (V-, W-), a lint rule (L-), a translation (D-), a normalization step (N-) or a mutation, with examples.',
  arguments: { code: { count: 'optional', help: 'for example V-005 or base64; without it all are listed' } },
  options: {},
  examples: ['joust explain V-005', 'joust explain n1', 'joust explain base64', 'joust explain'],
  run: async ({ code }, _, io) => (await import('../commands/explain.ts')).explain(code, io),
})

export const conformance = command({
  name: 'conformance',
  summary: 'run the official fixtures',
  description: 'Runs a directory in the layout of the official OATF conformance fixtures against this SDK.',
  arguments: { directory: { count: 'one', help: 'the directory with parse/, validate/, normalize/ and so on' } },
  options: {},
  examples: ['joust conformance spec/conformance'],
  run: async ({ directory }, _, io) => (await import('../commands/conformance.ts')).conformance(directory, io),
})
