/** `joust init`. */
import { examples } from '../terminal/help.ts'
import { command } from './command.ts'

export const init = command({
  name: 'init',
  summary: 'write a joust.yaml for what it finds here',
  description:
    'Looks for agent files, agents on PATH, packages of agent frameworks and attack documents in this folder; writes a ' +
    'joust.yaml that runs, a first attack, and, if there is a framework, a file that calls your agent. It runs nothing and ' +
    'overwrites nothing.',
  arguments: {},
  options: {},
  after: examples('joust init && joust run'),
  run: async (_, __, io) => (await import('../commands/init.ts')).init(io),
})
