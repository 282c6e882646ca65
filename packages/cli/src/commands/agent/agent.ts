/** The words of `joust agent`. Each command's own code is imported when it is called. */
import { type Command, Option } from 'commander'
import { formats } from '../../check/formats.ts'
import { examples } from '../../terminal/help.ts'
import type { Io } from '../../terminal/io.ts'

type Done = (code: number) => void

/** Adds `joust agent` with its commands. */
export function addAgent(program: Command, io: Io, done: Done): void {
  const agent = program
    .command('agent')
    .summary('check, run, serve and draw agents')
    .description('Works with agents that are declared in Agent Format 1.0 (*.agf.yaml).')
    .addHelpText(
      'after',
      examples(
        'joust agent check team.agf.yaml',
        `joust agent run team.agf.yaml --input '{"topic": "tea"}' --model sim/cautious`,
        'joust agent graph team.agf.yaml',
      ),
    )
  for (const add of [addCheck, addRun, addServe, addGraph]) add(agent, io, done)
}

function addCheck(agent: Command, io: Io, done: Done): void {
  agent
    .command('check')
    .summary('find everything that is wrong before a run')
    .description(
      'Checks an agent and every agent it leads to, without running anything. Exits 1 when there is an error.',
    )
    .argument('<file>', 'an agent, or - for standard input')
    .addOption(new Option('-f, --format <format>', 'how to print').choices(formats).default('text'))
    .option('-q, --quiet', 'print errors only, no summary')
    .option('--strict', 'let unknown fields be errors and warnings fail, too')
    .addHelpText(
      'after',
      examples('joust agent check team.agf.yaml', 'joust agent check team.agf.yaml --strict -f sarif'),
    )
    .action(async (file, options) => done(await (await import('./check.ts')).check(file, options, io)))
}

const AFTER_RUN = `
--input is JSON, so a text has its quotes. What agents need from outside (tools, MCP servers, remote agents, names of
models) is bound in a configuration; joust.config.yaml beside the agent is used when it is there:

  models: { fast: openai/gpt-5-mini }
  tools: { search: { module: ./tools.mjs } }
  mcp_servers: { files: { command: npx, args: [some-mcp-server] } }
  remote_agents: { helper: { url: "https://agents.example/" } }

Models: sim/cautious, sim/credulous and sim/silent are simulations and need no key; sim/scripted replays --script;
openai/…, anthropic/…, google/… and openai-compatible/… take their keys from the environment.

Exit codes: 0 the agent finished, 1 it failed or has errors, 64 wrong usage, 130 and 143 stopped by a signal.
`

function addRun(agent: Command, io: Io, done: Done): void {
  const command = agent
    .command('run')
    .summary('run an agent once')
    .description('Runs an agent: its output goes to stdout as JSON, what it does to stderr.')
    .argument('<file>', 'an agent, or - for standard input')
    .requiredOption('-i, --input <json>', 'the input: JSON, @file, or - for standard input')
  addBinding(command)
    .option('--json', 'print the whole result: output, usage and warnings, or the error')
    .addHelpText(
      'after',
      AFTER_RUN +
        examples(
          `joust agent run writer.agf.yaml --input '"a text about tea"' --model sim/cautious`,
          'joust agent run team.agf.yaml --input @request.json --events run.jsonl',
          'joust agent run team.agf.yaml --input - --approve none < request.json',
        ),
    )
    .action(async (file, options) => done(await (await import('./run.ts')).run(file, options, io)))
}

function addServe(agent: Command, io: Io, done: Done): void {
  const command = agent
    .command('serve')
    .summary('serve an agent over a protocol')
    .description('Serves an agent until Ctrl-C. The address goes to stdout, what happens to stderr.')
    .argument('<file>', 'an agent, or - for standard input')
    .option('--ag-ui', 'as an AG-UI endpoint')
    .option('--a2a', 'as an A2A agent, protocol 1.0 and 0.3')
    .option('--mcp', 'as an MCP server with one tool')
    .option('--stdio', 'with --mcp: over standard input and output')
    .option('-p, --port <number>', 'the port; without it any that is free')
    .option('--host <address>', 'the address; without it 127.0.0.1, which only this machine reaches')
  addBinding(command)
    .addHelpText(
      'after',
      examples(
        'joust agent serve team.agf.yaml --ag-ui --port 8000',
        'joust agent serve team.agf.yaml --a2a --model sim/cautious',
        'joust agent serve team.agf.yaml --mcp --stdio',
      ),
    )
    .action(async (file, options) => done(await (await import('./serve.ts')).serve(file, options, io)))
}

function addBinding(command: Command): Command {
  return command
    .option('-m, --model <provider/model>', 'use this model for every agent')
    .option('--script <file>', 'the turns of sim/scripted')
    .addOption(
      new Option('--approve <mode>', 'who approves: ask at the terminal, all, none')
        .choices(['ask', 'all', 'none'])
        .default('ask'),
    )
    .option('--events <file>', 'write everything that happens to a file, as JSON lines')
    .option('-c, --config <file>', 'the configuration; without it joust.config.yaml beside the agent')
    .option('-q, --quiet', 'print no progress')
}

function addGraph(agent: Command, io: Io, done: Done): void {
  agent
    .command('graph')
    .summary('draw an agent')
    .description('Draws an agent with its sub-agents, tools, servers and remote agents.')
    .argument('<file>', 'an agent, or - for standard input')
    .addOption(new Option('-f, --format <format>', 'how to draw').choices(['text', 'mermaid']).default('text'))
    .addHelpText('after', examples('joust agent graph team.agf.yaml', 'joust agent graph team.agf.yaml -f mermaid'))
    .action(async (file, options) => done(await (await import('./graph.ts')).graph(file, options, io)))
}
