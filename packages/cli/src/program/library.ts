/** What comes with joust: `joust library`, `joust presets`, `joust prove` and `joust demo`. */
import { libraryListOptions } from '../options/choice.ts'
import { presetListOptions } from '../options/command.ts'
import { proveOptions } from '../options/results.ts'
import { type CommandGroup, command } from './command.ts'

export const prove = command({
  name: 'prove',
  summary: 'does a document tell agents apart?',
  description:
    'Runs each document against simulated agents: a credulous one has to be exploited, a cautious one has to resist, and ' +
    'where no agent connects the outcome has to be inconclusive. For attacks on MCP servers two small servers stand in for the ' +
    'agents. Exits 1 when a document fails any of this.',
  arguments: { attack: { count: 'many', help: 'OATF documents: files, folders, quoted globs' } },
  options: proveOptions,
  examples: ['joust prove attack.oatf.yaml', 'joust prove library'],
  run: async ({ attack }, options, io) => (await import('../commands/prove.ts')).prove(attack, options, io),
})

const libraryList = command({
  name: 'list',
  description: 'Lists the attacks: id, severity, category, protocols, name and file.',
  arguments: {},
  options: libraryListOptions,
  run: async (_, options, io) => (await import('../commands/library.ts')).libraryList(options, io),
})

const libraryShow = command({
  name: 'show',
  description: 'Prints the document of an attack.',
  arguments: { name: { count: 'one', help: 'its id, or its file without .oatf.yaml' } },
  options: {},
  run: async ({ name }, _, io) => (await import('../commands/library.ts')).libraryShow(name, io),
})

export const library: CommandGroup = {
  name: 'library',
  summary: 'the attacks that come with joust',
  description: 'Lists and prints the attacks that come with joust.',
  commands: [libraryList, libraryShow],
  examples: ['joust library list --protocol a2a', 'joust library show time-bomb'],
}

const presetsList = command({
  name: 'list',
  description:
    'Lists the agents that --exec and --acp know by name: what they are, and the version that each was tried with.',
  arguments: {},
  options: presetListOptions,
  run: async (_, options, io) => (await import('../commands/presets.ts')).presetsList(options, io),
})

const presetsShow = command({
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
  commands: [presetsList, presetsShow],
  examples: ['joust presets list', 'joust presets show codex'],
}

export const demo = command({
  name: 'demo',
  summary: 'see it work',
  description:
    'Runs the library against three simulated agents, prints the outcomes side by side and writes a report. Then it hardens a ' +
    'credulous agent and shows what its file should declare. Needs no key.',
  arguments: {},
  options: {},
  examples: ['joust demo'],
  run: async (_, __, io) => (await import('../commands/demo.ts')).demo(io),
})
