/** `joust presets`. */
import { presetListOptions } from '../options/command.ts'
import { examples } from '../terminal/help.ts'
import { type CommandGroup, command } from './command.ts'

const list = command({
  name: 'list',
  description:
    'Lists the agents that --exec and --acp know by name: what they are, and the version that each was tried with.',
  arguments: {},
  options: presetListOptions,
  run: async (_, options, io) => (await import('../commands/presets.ts')).presetsList(options, io),
})

const show = command({
  name: 'show',
  description: 'Prints how an agent is driven, as YAML: command, files, environment, approvals, where the answer is.',
  arguments: { name: { count: 'one', help: 'its name' } },
  options: {},
  run: async ({ name }, _, io) => (await import('../commands/presets.ts')).presetsShow(name, io),
})

export const presets: CommandGroup = {
  name: 'presets',
  summary: 'agents that --exec and --acp know by name',
  description: 'Lists and prints the agents that joust run --exec NAME, and for some --acp NAME, knows how to drive.',
  commands: [list, show],
  after: examples('joust presets list', 'joust presets show codex'),
}
