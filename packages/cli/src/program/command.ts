/** A command as a row: its help, its arguments, its options, and the code that is imported when it is called. */
import type { Command } from 'commander'
import { declareOptions, givenOptions } from '../options/declare.ts'
import type { OptionsOf, OptionTable } from '../options/option.ts'
import { type GivenOptions, readOptions } from '../options/read.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

export interface ArgumentRow {
  readonly count: 'one' | 'optional' | 'many' | 'any'
  readonly help: string
  readonly choices?: readonly string[]
}

type ArgumentTable = { readonly [name: string]: ArgumentRow }

type ArgumentsOf<Table extends ArgumentTable> = {
  readonly [Name in keyof Table]: {
    readonly one: string
    readonly optional: string | undefined
    readonly many: readonly string[]
    readonly any: readonly string[]
  }[Table[Name]['count']]
}

interface Described {
  readonly name: string
  readonly summary?: string
  readonly description: string
  /** Help text after the options, such as the exit codes. */
  readonly after?: string
  readonly examples?: readonly string[]
}

export interface CommandRow extends Described {
  readonly arguments: ArgumentTable
  readonly options: OptionTable
  /** Runs the command with the arguments by name; returns the exit code. */
  start(found: { readonly [name: string]: unknown }, given: GivenOptions, io: Io): Promise<number>
}

/** A command with subcommands only. */
export interface CommandGroup extends Described {
  readonly commands: readonly CommandRow[]
}

/** Creates a command that receives the values described by its tables. */
export function command<const Arguments extends ArgumentTable, Options extends OptionTable>({
  run,
  ...row
}: Described & {
  readonly arguments: Arguments
  readonly options: Options
  readonly run: (found: ArgumentsOf<Arguments>, options: OptionsOf<Options>, io: Io) => Promise<number>
}): CommandRow {
  return {
    ...row,
    async start(found, given, io) {
      const options = await readOptions(row.options, given)
      if (!options.ok) return wrongUsage(options.error, io)
      // Commander has checked the number of arguments against the table.
      return run(found as ArgumentsOf<Arguments>, options.value, io)
    },
  }
}

export function addCommand(
  program: Command,
  row: CommandRow | CommandGroup,
  io: Io,
  done: (code: number) => void,
): void {
  const added = program.command(row.name).description(row.description)
  if (row.summary !== undefined) added.summary(row.summary)
  const { after = '', examples = [] } = row
  added.addHelpText('after', ({ error }) => inLines(after + exampleLines(examples), added, error))
  if ('commands' in row) {
    for (const one of row.commands) addCommand(added, one, io, done)
    return
  }
  const names = Object.keys(row.arguments)
  for (const [name, { count, help }] of Object.entries(row.arguments)) added.argument(inBrackets(name, count), help)
  declareOptions(added, row.options)
  added.action(async () => {
    const values = Object.fromEntries(names.map((name, index) => [name, added.processedArgs[index]]))
    done(await row.start(values, givenOptions(added, row.options), io))
  })
}

export function exampleLines(commands: readonly string[]): string {
  return commands.length === 0 ? '' : `\nExamples:\n${commands.map((line) => `  $ ${line}\n`).join('')}`
}

/** Wraps paragraphs to the width of the help; indented lines are unchanged. */
function inLines(text: string, command: Command, error: boolean): string {
  const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput()
  const width = (error ? getErrHelpWidth?.() : getOutHelpWidth?.()) ?? 80
  const help = command.createHelp()
  return text.replaceAll(/^\S.*(?:\n\S.*)*/gm, (lines) => help.boxWrap(lines.replaceAll('\n', ' '), width))
}

export function inBrackets(name: string, count: ArgumentRow['count']): string {
  return { one: `<${name}>`, optional: `[${name}]`, many: `<${name}...>`, any: `[${name}...]` }[count]
}
