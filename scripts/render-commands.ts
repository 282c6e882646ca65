/** Renders docs/commands.md from the tables that drive the program. */
import type * as Declare from '../packages/cli/src/options/declare.ts'
import type * as Options from '../packages/cli/src/options/option.ts'
import type * as Program from '../packages/cli/src/program/command.ts'
import { wrappedPage } from './generated-text.ts'

/** The commands of the program, and its functions for descriptions of arguments and options. */
export interface CommandTables {
  readonly commands: readonly (Program.CommandRow | Program.CommandGroup)[]
  readonly flagsOf: typeof Declare.flagsOf
  readonly helpOf: typeof Declare.helpOf
  readonly inBrackets: typeof Program.inBrackets
}

/** The guide for each command, in docs. */
export const guides: Readonly<Record<string, string>> = {
  init: 'project-file.md',
  preflight: 'targets.md#preflight',
  run: 'running-attacks.md',
  studio: 'studio.md',
  campaign: 'campaigns.md',
  worker: 'campaigns.md',
  record: 'recording.md',
  aim: 'aiming.md',
  mutate: 'adaptive.md',
  search: 'adaptive.md',
  harden: 'hardening.md',
  report: 'results.md',
  diff: 'results.md',
  coverage: 'results.md',
  import: 'importing.md',
  prove: 'writing-attacks.md',
  presets: 'targets.md',
  validate: 'writing-attacks.md',
  lint: 'writing-attacks.md',
  fmt: 'writing-attacks.md',
  migrate: 'dialects.md',
  explain: 'glossary.md',
  evaluate: 'results.md',
  agent: 'writing-agents.md',
  model: 'targets.md',
  'language-server': 'editors.md',
  completion: 'install.md',
}

/** Renders the whole page: a list of the commands, their exit codes, and a section for each. */
export function renderCommands(tables: CommandTables): string {
  const list = tables.commands.map(({ name, summary, description }) => {
    return `| [\`joust ${name}\`](#joust-${name}) | ${cell(summary ?? description)} |`
  })
  const sections = tables.commands.map((row) => section(tables, row, `joust ${row.name}`, 2))
  return `# Commands\n\n${wrappedPage(INTRO)}\n| command | purpose |\n| --- | --- |\n${list.join('\n')}\n\n${sections.join('\n')}`
}

const INTRO = `The help of every command; \`joust COMMAND --help\` prints the same. Written by \`npm run generate\`.

\`run\`, \`evaluate\` and \`search\` exit with the worst outcome. From worst to best: 3 exploited with a boundary breach, 2
exploited with a local action, 1 exploited otherwise, 4 partial, 5 inconclusive or nothing applicable, 0 resisted.
Checks exit with 1 if they find an error. Every command exits with 10 if results cannot be written, a port is in use, or
an internal error occurs; with 64 for wrong usage; with 129, 130 or 143 if interrupted.
`

function section(
  tables: CommandTables,
  row: Program.CommandRow | Program.CommandGroup,
  name: string,
  level: number,
): string {
  const guide = guides[row.name]
  const more = guide === undefined || level > 2 ? '' : `\n\nGuide: [${guide}](${guide}).`
  const parts = [
    `${'#'.repeat(level)} ${name}\n\n${wrappedPage(angles(row.description) + more)}`,
    ...('commands' in row
      ? []
      : [block([usage(tables, row, name)]), argumentLines(row), optionTables(tables, row.options)]),
    wrappedPage(angles((row.after ?? '').trim())),
    (row.examples ?? []).length === 0 ? '' : block(row.examples ?? []),
    ...('commands' in row ? row.commands.map((one) => section(tables, one, `${name} ${one.name}`, level + 1)) : []),
  ]
  return `${parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== '')
    .join('\n\n')}\n`
}

function usage({ inBrackets }: CommandTables, row: Program.CommandRow, name: string): string {
  const options = Object.keys(row.options).length === 0 ? [] : ['[options]']
  return [name, ...options, ...Object.entries(row.arguments).map(([key, { count }]) => inBrackets(key, count))].join(
    ' ',
  )
}

function argumentLines({ arguments: table }: Program.CommandRow): string {
  return wrappedPage(
    Object.entries(table)
      .map(([name, { help }]) => `- \`${name}\`: ${angles(help)}`)
      .join('\n'),
  )
}

function optionTables({ flagsOf, helpOf }: CommandTables, options: Options.OptionTable): string {
  const groups = new Map<string, [string, Options.OptionRow][]>()
  for (const [key, row] of Object.entries<Options.OptionRow>(options)) {
    const name = row.group ?? ''
    groups.set(name, [...(groups.get(name) ?? []), [key, row]])
  }
  return [...groups]
    .map(([name, rows]) => {
      const lines = rows.map(([key, row]) => `| \`${flagsOf(key, row)}\` | ${cell(helpOf(row))} |`)
      return `| ${name === '' ? 'option' : `${name.toLowerCase()} option`} | meaning |\n| --- | --- |\n${lines.join('\n')}`
    })
    .join('\n\n')
}

function block(lines: readonly string[]): string {
  return `\`\`\`text\n${lines.join('\n')}\n\`\`\``
}

function cell(text: string): string {
  return angles(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Escapes placeholders in angle brackets and braces, which would be markup. */
function angles(text: string): string {
  return text.replaceAll(/<(?=[a-z])/gi, '\\<')
}
