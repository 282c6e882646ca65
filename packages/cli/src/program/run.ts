/** `joust init`, `joust preflight` and `joust run`. */
import { initOptions } from '../options/init.ts'
import { preflightOptions } from '../options/preflight.ts'
import { runOptions } from '../options/run.ts'
import { type CommandRow, command } from './command.ts'

export const init = command({
  name: 'init',
  summary: 'create a joust.yaml for the agents in this folder',
  description:
    'Looks for agent files, agents on PATH, packages of agent frameworks and attack documents in this folder; writes a ' +
    'working joust.yaml, a first attack and, if there is a framework, a file that calls your agent. It overwrites nothing. ' +
    'On a terminal it then asks whether it may run the agent with a simulated model, which needs no key, and reports whether the agent ' +
    'calls a tool and remembers a turn, and which channels reach its model.',
  arguments: {},
  options: initOptions,
  after: `
Exit codes: 0 the files are written, and the agent works if it was run; 1 the agent does not work yet; 10 a file could not be
written; 64 joust.yaml has errors.
`,
  examples: ['joust init && joust run', 'joust init --yes && joust run --with-model sim/credulous'],
  run: async (_, options, io) => (await import('../commands/init.ts')).init(io, undefined, options),
})

const AFTER_RUN = `
Some targets can only be defined in joust.yaml: http, an agent with its own HTTP API; module, a function; serve, the command that
starts an agent, together with http, ag_ui, a2a or mcp.

Exit codes, by the worst outcome of all attacks: 0 every attack was resisted, 1 exploited, 2 with a local action, 3
with a boundary breach, 4 partial, 5 inconclusive (no agent connected, the bait was never fetched, a crash, no indicators) or no attack
was applicable, 10 results could not be written or a port is in use, 64 wrong usage, 129, 130 and 143 interrupted. An agent that was unreachable,
crashed or hung is never reported as having resisted.
`

export const run: CommandRow = {
  name: 'run',
  summary: 'attack an agent and report which attacks succeed',
  description:
    'Starts the target, runs the attacks on it over their real protocols, and reports which ones succeed. Server ' +
    'actors listen on loopback, client actors connect to the target, and every message is recorded in a trace. Without arguments, it ' +
    'uses joust.yaml in this folder or a parent folder; options on the command line take precedence.',
  arguments: {
    attack: {
      count: 'any',
      help: 'attack documents: files, folders, quoted globs, library for the built-in ones, or a suite of these: @quick, @owasp-agentic, @owasp-mcp, @atlas; by default the attacks in joust.yaml',
    },
  },
  options: runOptions,
  after: AFTER_RUN,
  examples: [
    'joust init && joust run',
    'joust run --on staging --trials 5',
    'joust run @quick --model sim/credulous',
    'joust run library --model sim/credulous --framework owasp-agentic --id ASI01',
    'joust run attack.oatf.yaml --model sim/credulous --watch',
    'joust run library --agent clerk.agf.yaml --model openai/gpt-5 --trials 5 --fail-on boundary_breach',
    `joust run attack.oatf.yaml --target ag_ui=http://127.0.0.1:8000/agent --header 'authorization=Bearer \${TOKEN}'`,
    'joust run library --exec "my-agent --mcp-config {mcp_config} --session {session}"',
    'joust run library --exec codex',
    'joust run attack.oatf.yaml --listen default=127.0.0.1:7000 --max-duration 2m',
  ],
  // The project file can change the options, so both are read together.
  start: async ({ attack }, given, io) => {
    const { run } = await import('../commands/run.ts')
    return run(Array.isArray(attack) ? attack.map(String) : [], given, io)
  },
}

const AFTER_PREFLIGHT = `
The preflight is one conversation of at most four model turns: a tool call, a second message that needs the first, and a marker in each channel that the attacks
use, such as a tool description. If Joust sees the requests to the model (through a model proxy), it knows which channels reach the model. Otherwise
the agent is asked to repeat the markers; a marker that it does not repeat proves nothing. joust run does the same before its attacks.
Exit codes: 0 every target works, 1 a target does not work, 10 a port is in use, 64 wrong usage.
`

export const preflight: CommandRow = {
  name: 'preflight',
  summary: 'check an agent with harmless requests before it is attacked',
  description:
    'Sends harmless requests to the target and prints whether it works, whether it remembers earlier messages, and which channels reach its model. An attack ' +
    'through a channel that does not reach the model proves nothing about the agent.',
  arguments: {
    attack: {
      count: 'any',
      help: 'attack documents whose channels to check; by default the attacks in joust.yaml, or all built-in attacks',
    },
  },
  options: preflightOptions,
  after: AFTER_PREFLIGHT,
  examples: [
    'joust preflight --exec codex',
    'joust preflight --on staging',
    'joust preflight attack.oatf.yaml --exec "my-agent --mcp-config {mcp_config}" --json',
  ],
  // The project file can change the options, so both are read together.
  start: async ({ attack }, given, io) => {
    const { preflight } = await import('../commands/preflight.ts')
    return preflight(Array.isArray(attack) ? attack.map(String) : [], given, io)
  },
}
