/** `joust run`. */
import { runOptions } from '../options/run.ts'
import { examples } from '../terminal/help.ts'
import { command } from './command.ts'

const exitCodeText = `
Exit codes, of which a suite takes the worst: 0 every attack was resisted, 1 exploited, 2 with a local action, 3
with a boundary breach, 4 partial, 5 inconclusive (nobody came, the bait was never fetched, a crash, no indicators) or none
was applicable, 10 results could not be written, 64 wrong usage, 130 and 143 interrupted. An agent that was not there,
crashed or hung is never reported as having resisted.`

export const run = command({
  name: 'run',
  summary: 'attack an agent',
  description:
    'Starts the target, lets the attacks loose on it over their real protocols, and says which ones it survives. Server ' +
    'actors listen on loopback, client actors connect to the target; every message is kept as a trace.',
  arguments: { attack: { count: 'many', help: 'OATF documents: files, folders, quoted globs' } },
  options: runOptions,
  after: `${exitCodeText}
${examples(
  'joust run library --model sim/credulous',
  'joust run library --agent clerk.agf.yaml --model openai/gpt-5 --trials 5 --fail-on boundary_breach',
  `joust run attack.oatf.yaml --target ag_ui=http://127.0.0.1:8000/agent --header 'authorization=Bearer \${TOKEN}'`,
  'joust run library --exec "my-agent --mcp-config {mcp_config} --session {session}"',
  'joust run library --exec codex',
  'joust run attack.oatf.yaml --listen default=127.0.0.1:7000 --max-duration 2m',
)}`,
  run: async ({ attack }, options, io) => (await import('../commands/run.ts')).run(attack, options, io),
})
