/** `joust init`. */
import { examples } from '../terminal/help.ts'
import { command } from './command.ts'

export const init = command({
  name: 'init',
  summary: 'write a joust.yaml for what is found here',
  description:
    'Looks for agent files, agents on PATH, packages of agent frameworks and attack documents in this folder; writes a ' +
    'joust.yaml that runs, a first attack, and a file to call your agent in where there is a framework. Runs nothing and ' +
    'writes over nothing.',
  arguments: {},
  options: {},
  after: examples('joust init && joust run'),
  run: async (_, __, io) => (await import('../commands/init.ts')).init(io),
})
