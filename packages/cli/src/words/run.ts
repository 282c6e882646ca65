/** The words of `joust run`. */
import { type Command, Option } from 'commander'
import { examples } from '../terminal/help.ts'
import type { Io } from '../terminal/io.ts'

const exitCodeText = `
Exit codes, of which a suite takes the worst: 0 no attack went through, 1 one did, 2 with a local action, 3 with a
boundary breach, 4 partially, 5 nothing can be said about one (nobody came, a crash, no indicators), 10 results could not
be written, 64 wrong usage, 130 and 143 interrupted. An agent that was not there, crashed or hung is never reported as having resisted.`

/** Adds the command. */
export function addRun(program: Command, io: Io, done: (code: number) => void): void {
  const command = program
    .command('run')
    .summary('attack an agent')
    .description(
      'Starts the target, lets the attacks loose on it over their real protocols, and says which ones it survives. Server ' +
        'actors listen on loopback, client actors connect to the target; every message is kept as a trace.',
    )
    .argument('<attack...>', 'OATF documents: files, folders, quoted globs')
  addTarget(command)
  addChoice(command)
  addBounds(command)
  addOutput(command)
  command
    .addHelpText(
      'after',
      `${exitCodeText}
${examples(
  'joust run library --model sim/credulous',
  'joust run library --agent clerk.agf.yaml --model openai/gpt-5 --trials 5 --fail-on boundary_breach',
  `joust run attack.oatf.yaml --target ag_ui=http://127.0.0.1:8000/agent --header 'authorization=Bearer \${TOKEN}'`,
  'joust run library/hidden-unicode-instructions.oatf.yaml --exec "my-agent --mcp-config {mcp_config} {prompt}"',
  'joust run attack.oatf.yaml --listen default=127.0.0.1:7000 --max-duration 2m',
)}`,
    )
    .action(async (attacks, options) => done(await (await import('../commands/run.ts')).run(attacks, options, io)))
}

function addTarget(command: Command): void {
  command
    .option('--agent <file>', 'attack an agent file; --model then stands in for its models')
    .option(
      '--model <provider/model>',
      'attack a plain agent on this model; sim/credulous, sim/cautious and sim/silent need no key',
    )
    .option('--target <protocol=url...>', 'attack endpoints: ag_ui=URL, a2a=URL, mcp=URL or mcp="command args"')
    .option('--exec <command>', 'attack a command; {mcp_config}, {prompt} and {ACTOR.url} are filled in')
    .option('--wire <client=server...>', 'no agent: client actors attack server actors of the document')
    .option('--bind <alias=actor...>', 'with --agent: which actor plays a server or remote agent of another name')
    .option(
      '--listen <actor=host:port...>',
      'where a server actor listens, or actor=stdio; any free port of loopback by default',
    )
    .option('--header <name=value...>', `with --target: headers to send; \${NAME} is taken from the environment`)
    .option('--prompt <text>', 'what the agent is asked when the document has nobody who asks')
    .option(
      '--approve <who>',
      'with --agent or --model: answer approvals with none, all, or a file that lists names',
      'none',
    )
    .option('--in-process', 'with --agent or --model: reach server actors in memory, not over sockets')
    .option('--config <file>', 'with --agent: the configuration; joust.config.yaml beside the agent by default')
    .option('--script <file>', 'with --model sim/scripted: what the model says')
    .option('--allow-host <host...>', 'hosts that documents may have reached (push notifications) beside loopback')
}

function addChoice(command: Command): void {
  command
    .option('--tag <tag...>', 'only attacks with one of these tags')
    .option('--severity <level>', 'only attacks that are at least this severe')
    .option('--category <category...>', 'only attacks of these categories')
    .option('--protocol <protocol...>', 'only attacks that speak one of these: mcp, a2a, ag_ui')
}

function addBounds(command: Command): void {
  command
    .option('--trials <n>', 'run each attack this often', '1')
    .option('--concurrency <n>', 'how many runs go on at a time', '4')
    .option('--max-duration <time>', 'end a run after this time, for example 90s')
    .option('--observe <time>', 'wait this long for what the agent may still ask of a client')
    .option('--grace <time>', 'go on observing this long after a run, unless the document says how long')
    .option('--budget-tokens <n>', 'stop when all runs together have used so many tokens')
    .option('--budget-calls <n>', 'stop when all runs together have called models so often')
    .option('--budget-time <time>', 'stop after this time')
    .option('--max-errors <n>', 'fail when more runs than this end in an error')
}

function addOutput(command: Command): void {
  command
    .option('--out <folder>', 'where results go; joust-results/TIME by default')
    .option('--resume <folder>', 'go on from the results in this folder')
    .option(
      '--report <formats>',
      'files to write beside results.json: html, junit, sarif, md, github; json for no other',
      'html',
    )
    .option('--redact <regex...>', 'hide what matches, before anything is written')
    .option('--baseline <file>', 'compare with earlier results')
    .option('--force-baseline', 'compare also with results of another target or suite')
    .option('--fail-on <what>', 'let only this fail: a tier, a severity or regression; errors always do')
    .option('--judge <provider/model>', 'a model that judges semantic indicators; without one they are skipped')
    .addOption(new Option('--record <folder>', 'keep model calls and answers of endpoints').conflicts('replay'))
    .option('--replay <folder>', 'take model calls and answers of endpoints from there; never call anybody')
    .option('--dry-run', 'print what would be wired and sent, and do nothing')
    .option('--json', 'print the results as JSON')
    .option('-q, --quiet', 'no progress')
}
