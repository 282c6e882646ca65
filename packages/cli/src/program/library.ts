/** `joust library`, `joust presets`, `joust prove` and `joust demo`. */
import { libraryListOptions } from '../options/choice.ts'
import { presetListOptions } from '../options/command.ts'
import { proveOptions } from '../options/results.ts'
import { type CommandGroup, command } from './command.ts'

export const prove = command({
  name: 'prove',
  summary: 'check that an attack separates a vulnerable agent from a safe one',
  description:
    'Runs each attack against simulated agents: a credulous one must be exploited, a cautious one must resist, and ' +
    'without an agent the outcome must be inconclusive. Attacks on MCP servers are run against two small servers instead. ' +
    'Exits 1 if any of these checks fails.',
  arguments: { attack: { count: 'many', help: 'attack documents: files, folders, quoted globs' } },
  options: proveOptions,
  examples: ['joust prove attack.oatf.yaml', 'joust prove library'],
  run: async ({ attack }, options, io) => (await import('../commands/prove.ts')).prove(attack, options, io),
})

const libraryList = command({
  name: 'list',
  summary: 'list all attacks, or the attacks of a suite',
  description: 'Lists the attacks: id, severity, category, protocols, name and file.',
  arguments: { suite: { count: 'any', help: 'suites, such as @quick; by default all attacks' } },
  options: libraryListOptions,
  run: async ({ suite }, options, io) => (await import('../commands/library.ts')).libraryList(suite, options, io),
})

const libraryShow = command({
  name: 'show',
  summary: 'print the YAML document of an attack',
  description: 'Prints an attack as a YAML document.',
  arguments: { name: { count: 'one', help: 'the id of the attack, or its file name without .oatf.yaml' } },
  options: {},
  run: async ({ name }, _, io) => (await import('../commands/library.ts')).libraryShow(name, io),
})

export const library: CommandGroup = {
  name: 'library',
  summary: 'list and print the built-in attacks',
  description: 'Lists and prints the attacks that are included with joust.',
  commands: [libraryList, libraryShow],
  examples: [
    'joust library list --protocol a2a',
    'joust library list @owasp-agentic --id ASI07',
    'joust library show time-bomb',
  ],
}

const presetsList = command({
  name: 'list',
  summary: 'list the known coding agents',
  description:
    'Lists the agents that --exec and --acp can start by name, with a description and the tested version of each.',
  arguments: {},
  options: presetListOptions,
  run: async (_, options, io) => (await import('../commands/presets.ts')).presetsList(options, io),
})

const presetsShow = command({
  name: 'show',
  summary: 'print the configuration of a coding agent as YAML',
  description:
    'Prints the preset of an agent as YAML: command, files, environment, approvals and the location of the answer.',
  arguments: { name: { count: 'one', help: 'name of the agent' } },
  options: {},
  run: async ({ name }, _, io) => (await import('../commands/presets.ts')).presetsShow(name, io),
})

export const presets: CommandGroup = {
  name: 'presets',
  summary: 'list coding agents that can be attacked by name',
  description: 'Lists and prints the agents that joust run can start by name: --exec NAME, and for some --acp NAME.',
  commands: [presetsList, presetsShow],
  examples: ['joust presets list', 'joust presets show codex'],
}

export const demo = command({
  name: 'demo',
  summary: 'attack three simulated agents and show the results; needs no key',
  description:
    'Runs the built-in attacks against three simulated agents, prints the outcomes side by side and writes a report. Then ' +
    'hardens a credulous agent and shows the restraints its file should declare. Needs no key.',
  arguments: {},
  options: {},
  examples: ['joust demo'],
  run: async (_, __, io) => (await import('../commands/demo.ts')).demo(io),
})
