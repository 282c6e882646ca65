/** `joust completion`. */
import type { CompletedCommand } from '../commands/completion.ts'
import type { CompletionValues } from '../commands/completion-values.ts'
import { optionName } from '../options/option.ts'
import { type CommandGroup, type CommandRow, command } from './command.ts'

/** Creates the row of `joust completion`. `rows` is a function, because this command is itself one of the rows. */
export function completionOf(rows: () => readonly (CommandRow | CommandGroup)[]): CommandRow {
  return command({
    name: 'completion',
    summary: 'print a script that completes commands and options in your shell',
    description: 'Prints a script for bash, zsh or fish that completes commands, options and their values.',
    arguments: { shell: { count: 'one', help: 'bash, zsh or fish', choices: ['bash', 'fish', 'zsh'] } },
    options: {},
    examples: [
      'eval "$(joust completion bash)"',
      'joust completion zsh > ~/.zfunc/_joust',
      'joust completion fish > ~/.config/fish/completions/joust.fish',
    ],
    run: async ({ shell }, _, io) => {
      const { completionValues } = await import('../commands/completion-values.ts')
      const all = completed(rows(), await completionValues())
      return (await import('../commands/completion.ts')).completion(shell, all, io)
    },
  })
}

function completed(
  rows: readonly (CommandRow | CommandGroup)[],
  values: CompletionValues,
  at = '',
): CompletedCommand[] {
  const commands = rows.map(({ name, summary, description }) => ({ name, about: summary ?? description }))
  const version = at === '' ? [{ long: '--version', short: 'V', about: 'print the version', values: undefined }] : []
  // Commander adds this command.
  const helping = at === '' ? [{ name: 'help', about: 'print the help of a command' }] : []
  return [
    { at, commands: [...commands, ...helping], words: [], options: [...version, help] },
    ...helping.map(({ name }) => ({ at: name, commands, words: [], options: [] })),
    ...rows.flatMap((row) => {
      const here = at === '' ? row.name : `${at} ${row.name}`
      if ('commands' in row) return completed(row.commands, values, here)
      const words = Object.values(row.arguments).flatMap(({ choices = values.words[here] ?? [], help: about }) =>
        choices.map((name) => ({ name, about })),
      )
      const suites = 'attack' in row.arguments ? values.suites : []
      return [{ at: here, commands: [], words, suites, options: optionsOf(row, values) }]
    }),
  ]
}

const help = { long: '--help', short: 'h', about: 'print the help', values: undefined }

function optionsOf({ options }: CommandRow, { options: known }: CompletionValues): CompletedCommand['options'] {
  const own = Object.entries(options).map(([key, row]) => ({
    long: optionName(key),
    short: row.short,
    about: row.help,
    values: row.value.placeholder === undefined ? undefined : (row.value.choices ?? known[key] ?? []),
    isTarget: key === 'on',
  }))
  return [...own, help]
}
