/** `joust validate`, `joust lint`, `joust fmt`, `joust migrate`, `joust explain` and `joust conformance`. */
import { fmtOptions, lintOptions, migrateOptions, validateOptions } from '../options/documents.ts'
import { command } from './command.ts'

const PATHS = 'files, folders, quoted globs (*, **, ?, {a,b}), or - for standard input'

export const validate = command({
  name: 'validate',
  summary: 'check attack documents, agent files and joust.yaml',
  description:
    'Checks attack documents (OATF) and agent files (Agent Format), detected by their content, and joust.yaml if it is given, and prints ' +
    'every finding with its position. An agent is checked together with all files it refers to. An attack in an older or foreign dialect is ' +
    'translated first; each translation is a D- warning, or an error with --strict. Exits 1 if there is an error.',
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
  summary: 'find mistakes in valid attack documents',
  description:
    'Finds mistakes that validation does not: indicators for fields that no message has, indicators that match messages from the attacker ' +
    'itself, unreachable phases, templates that stay empty, keys without effect. Anything that cannot work is an error, and the command ' +
    'exits 1; anything that may be intended is a warning. Invalid documents are reported as by joust validate.',
  arguments: { path: { count: 'many', help: PATHS } },
  options: lintOptions,
  after: `
A target such as result.content is valid, but no message has this field: the indicator can never match, and every agent seems
to resist. Lint reports this and suggests the existing path content[*].text. A document in a known dialect of another tool is
translated first, and the translations are reported (D-); --strict lints it as written. --max-warnings 0 allows no warnings.
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
  summary: 'format attack documents and agent files',
  description:
    'Formats attack documents and agent files: two spaces per level, at most one blank line, no needless quotes. Comments, order ' +
    'and values are preserved; characters that hide or reorder text become visible escapes. The document need not be valid.\n' +
    '--canonical writes the fully expanded form of an attack (OATF §11.2.9), for tools that compare documents.',
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
  summary: 'update attack documents in older or other formats',
  description:
    'Rewrites a document with the translations that Joust otherwise makes when reading it: old names of surfaces and actions, targets of ' +
    'other tools, messages without ids. Nothing else changes; comments and layout are preserved. Prints a diff to stdout and each ' +
    'translation with its code to stderr. Exits 1 if a document cannot be read or written.',
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
  summary: 'explain an error code, a mutation or a term',
  description:
    'Explains a validation rule (V-, W-), a lint rule (L-), a translation (D-), a normalization step (N-), a mutation or a glossary term.',
  arguments: { word: { count: 'any', help: 'for example V-005, base64 or bait; all are listed by default' } },
  options: {},
  examples: [
    'joust explain V-005',
    'joust explain n1',
    'joust explain base64',
    'joust explain inconclusive',
    'joust explain stopped by',
    'joust explain',
  ],
  run: async ({ word }, _, io) => (await import('../commands/explain.ts')).explain(word, io),
})

export const conformance = command({
  name: 'conformance',
  summary: 'test this program with the official fixtures of the attack format',
  description:
    'Runs the fixtures in a directory, which has the layout of the official OATF conformance suite, against this SDK.',
  arguments: { directory: { count: 'one', help: 'directory with parse/, validate/, normalize/ and so on' } },
  options: {},
  examples: ['joust conformance spec/conformance'],
  run: async ({ directory }, _, io) => (await import('../commands/conformance.ts')).conformance(directory, io),
})
