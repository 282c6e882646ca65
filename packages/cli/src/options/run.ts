/** The options of `joust run`. */

import { severityLevels, tiers } from '@joust/oatf/enumerations'
import { reportFormatNames } from '@joust/report/formats'
import type { Channel, Price } from '@joust/results'
import { err, ok, shapes } from '@joust/source'
import { adaptiveOptions } from './adaptive.ts'
import { choiceOptions } from './choice.ts'
import { commandOptions } from './command.ts'
import { queueOptions } from './fleet.ts'
import { type OptionsOf, type TargetedTable, targeted, type ValueKind } from './option.ts'
import {
  address,
  choice,
  commandLine,
  commaSeparated,
  count,
  countOr,
  declared,
  duration,
  endpoints,
  headerName,
  headers,
  listen,
  pairs,
  path,
  patterns,
  rateQuestion,
  text,
  texts,
  toggle,
} from './values.ts'

/** Channels that can be declared. Repeated here so that loading the options does not load the results package. */
const channels = [
  'message',
  'tool_description',
  'tool_schema',
  'tool_result',
  'server_instructions',
  'resource',
  'prompt',
  'agent_card',
  'agent_answer',
  'context',
  'state',
] as const satisfies readonly Channel[]

/** A price such as `1.25,10`. */
const price: ValueKind<Price> = {
  placeholder: 'in,out',
  shape: shapes.text,
  read: ([text = ''], option) => {
    const [, input, output] = /^(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)$/.exec(text) ?? []
    return input === undefined || output === undefined
      ? err(`${option} expects dollars per million input and output tokens, such as 1.25,10, not "${text}"`)
      : ok({ input: Number(input), output: Number(output) })
  },
}

const modelled = ['agent', 'model'] as const
/** Kinds of targets with an agent that accepts prompts. */
const prompted = [...modelled, 'endpoint', 'command', 'acp', 'http', 'function'] as const
/** Kinds of targets whose model calls can be observed. */
const observed = [...prompted, 'none'] as const

// biome-ignore format: a row is a line
const targetOptions = {
  agent: targeted({ group: 'Target', identity: 'none', value: path('file'), default: undefined, targets: 'all', conflicts: ['target', 'exec', 'acp'], help: 'attack the agent in this file; --model replaces its models' }),
  model: targeted({ group: 'Target', identity: 'none', value: text('provider/model'), default: undefined, targets: 'all', conflicts: ['target', 'exec', 'acp'], help: 'attack a minimal agent that uses this model; sim/credulous, sim/cautious and sim/silent need no key' }),
  target: targeted({ group: 'Target', identity: 'fingerprint', value: endpoints, default: undefined, targets: 'all', conflicts: ['exec', 'acp'], help: 'attack endpoints: ag_ui=URL, a2a=URL, mcp=URL or mcp="command args"' }),
  exec: targeted({ group: 'Target', identity: 'fingerprint', value: commandLine, default: undefined, targets: 'all', conflicts: ['acp'], help: 'attack a command, or a known agent by name (see joust presets list); {mcp_config}, {prompt}, {input}, {session}, {model_url} and {ACTOR.url} are filled in; without {prompt}, the prompt is written to standard input' }),
  acp: targeted({ group: 'Target', identity: 'fingerprint', value: commandLine, default: undefined, targets: 'all', help: 'attack a command that speaks the Agent Client Protocol, or a known agent by name; the session gets the MCP servers, and --approve answers the agent\'s permission requests' }),
  ...commandOptions,
  wire: targeted({ group: 'Target', identity: 'value', value: pairs('client', 'server'), default: undefined, targets: 'all', help: 'connect client actors to server actors of the same document; all others connect to the target, if any' }),
  bind: targeted({ group: 'Target', identity: 'value', value: pairs('alias', 'actor'), default: {}, targets: ['agent'], help: 'use an actor in place of a server or remote agent with a different name' }),
  listen: targeted({ group: 'Target', identity: 'none', value: listen, default: {}, targets: 'all', help: 'address that a server actor listens on, or actor=stdio, which moves the results to stderr; any free port on loopback by default' }),
  gateway: targeted({ group: 'Target', identity: 'given', value: address, default: undefined, targets: ['endpoint', 'http', 'command', 'acp', 'function'], help: 'fixed addresses for the server actors of all attacks, /mcp/1, /mcp/2, … and /a2a/1, …; put them into the agent\'s configuration once' }),
  gatewayHeader: targeted({ group: 'Target', identity: 'value', value: headerName, default: undefined, targets: ['endpoint', 'http'], needs: ['gateway'], help: 'header that the agent forwards from its user to its servers; it identifies the run, so that runs can be concurrent' }),
  listenToken: targeted({ group: 'Target', identity: 'none', value: text('text'), default: undefined, targets: 'all', needs: ['listen'], help: `bearer token that peers on other machines must send when --listen is not loopback: Authorization: Bearer TEXT; \${NAME} is taken from the environment` }),
  header: targeted({ group: 'Target', identity: 'names', fileKey: 'headers', value: headers, default: {}, targets: ['endpoint'], help: `headers to send; \${NAME} is taken from the environment` }),
  token: targeted({ group: 'Target', identity: 'given', value: text('token'), default: undefined, targets: ['endpoint'], help: `bearer token for endpoints that require one, such as an OAuth access token; \${NAME} is taken from the environment` }),
  prompt: targeted({ group: 'Target', identity: 'fingerprint', value: text('text'), default: undefined, targets: prompted, help: 'prompt to send if the attack has no actor that prompts the agent' }),
  through: targeted({ group: 'Target', identity: 'value', value: path('file'), default: undefined, targets: prompted, conflicts: ['wire', 'replay'], help: 'put the attacks in front of the real MCP servers in this configuration: what an attack defines comes from the attack, the rest from the servers; only calls to read-only tools are passed on' }),
  allowCall: targeted({ group: 'Target', identity: 'value', value: texts('tool'), default: [], targets: prompted, needs: ['through'], help: 'tools, or server/tool, whose calls are also passed on to the real servers, although they may change something' }),
  answers: targeted({ group: 'Target', identity: 'value', value: path('file'), default: undefined, targets: prompted, needs: ['through'], help: 'session.yaml with recorded results for calls that are not passed on' }),
  approve: targeted({ group: 'Target', identity: 'value', value: path('who', 'none', 'all'), default: 'none', targets: [...modelled, 'acp'], help: 'approvals to grant: none, all, or those listed in a file' }),
  mcpVersion: targeted({ group: 'Target', identity: 'value', value: text('version'), default: undefined, targets: prompted, help: 'MCP version of actors, unless the document sets one; by default the version of the target if known, otherwise 2025-11-25' }),
  noPreflight: targeted({ group: 'Target', identity: 'none', value: toggle, default: false, targets: prompted, help: 'skip the preflight, which asks the agent or its model for one harmless answer or tool call; noted in the results' }),
  channels: targeted({ group: 'Target', identity: 'value', value: declared('names', channels), default: [], targets: prompted, help: 'channels that reach the model of this agent although the preflight cannot show it, such as server_instructions; the results mark them as declared' }),
  price: targeted({ group: 'Target', identity: 'none', value: price, default: undefined, targets: observed, help: 'dollars per million input and output tokens, such as 1.25,10; shows the cost of each attack and of all runs' }),
  inProcess: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: modelled, conflicts: ['wire'], help: 'connect to server actors in memory instead of over sockets' }),
  config: targeted({ group: 'Target', identity: 'none', value: path('file'), default: undefined, targets: 'all', help: 'the project file; by default joust.yaml in this folder or a parent folder' }),
  on: targeted({ group: 'Choice', identity: 'none', value: texts('name'), default: [], targets: 'all', conflicts: ['agent', 'target', 'exec', 'acp'], help: 'only these targets in the project file' }),
  script: targeted({ group: 'Target', identity: 'value', value: path('file'), default: undefined, targets: modelled, help: 'file with the answers of sim/scripted' }),
  allowHost: targeted({ group: 'Target', identity: 'value', value: texts('host'), default: [], targets: 'all', help: 'hosts other than loopback that may receive push notifications; also the host names of actors when --listen is not loopback' }),
} satisfies TargetedTable

// biome-ignore format: a row is a line
const boundOptions = {
  trials: targeted({ group: 'Bounds', identity: 'none', value: countOr('auto'), default: 1, targets: 'all', help: 'number of runs per attack; auto runs each attack until the question of --decide is answered' }),
  maxTrials: targeted({ group: 'Bounds', identity: 'none', value: count(), default: undefined, targets: 'all', needs: ['trials'], help: 'maximum number of runs per attack with --trials auto; 25 by default' }),
  decide: targeted({ group: 'Bounds', identity: 'none', value: rateQuestion, default: undefined, targets: 'all', needs: ['trials'], help: 'question about the success rate of each attack that --trials auto answers; asr<15% by default, which takes 22 runs without a success; asr<5% takes 68' }),
  arms: targeted({ group: 'Bounds', identity: 'none', value: choice('arms', ['placebo', 'none', 'sensitivity', 'all']), default: undefined, targets: 'all', help: 'additional runs for comparison; placebo: a successful attack also runs without its bait, up to 5 times; sensitivity: in addition, an attack that fails runs once with sim/credulous as the model of the agent; all: every attack also runs without its bait; none; by default placebo, but with simulated models only for unspecific attacks' }),
  concurrency: targeted({ group: 'Bounds', identity: 'none', value: count(), default: undefined, targets: 'all', help: 'number of concurrent runs, 4 by default; with --queue, the limit per target across all workers, unlimited by default' }),
  maxDuration: targeted({ group: 'Bounds', identity: 'listeners', value: duration, default: undefined, targets: 'all', help: 'timeout for one run, for example 90s' }),
  replyTimeout: targeted({ group: 'Bounds', identity: 'none', value: duration, default: undefined, targets: 'all', help: 'timeout for the first byte of a response; 60s by default, 5m for a turn of a command, ACP, HTTP or function target' }),
  observe: targeted({ group: 'Bounds', identity: 'value', value: duration, default: undefined, targets: 'all', help: 'time to wait for requests from the agent after a client has finished; 5s if the document answers such requests, otherwise 250ms' }),
  grace: targeted({ group: 'Bounds', identity: 'value', value: duration, default: undefined, targets: 'all', help: 'time to keep observing after a run, unless the document sets a grace period' }),
  budgetTokens: targeted({ group: 'Bounds', identity: 'none', fileKey: 'budget.tokens', value: count(), default: undefined, targets: observed, alsoWith: 'judge', help: 'stop when all runs together have used this many tokens' }),
  budgetCalls: targeted({ group: 'Bounds', identity: 'none', fileKey: 'budget.calls', value: count(), default: undefined, targets: observed, alsoWith: 'judge', help: 'stop when all runs together have made this many model calls' }),
  budgetTime: targeted({ group: 'Bounds', identity: 'none', fileKey: 'budget.time', value: duration, default: undefined, targets: 'all', help: 'stop after this time' }),
  retries: targeted({ group: 'Bounds', identity: 'none', value: count(0), default: 0, targets: 'all', help: 'retry a run up to this many times when it is inconclusive for an external reason: 429, 5xx, a lost connection' }),
  maxErrors: targeted({ group: 'Bounds', identity: 'none', value: count(0), default: undefined, targets: 'all', help: 'fail if more runs than this are inconclusive; a run with a matched indicator always fails' }),
} satisfies TargetedTable

// biome-ignore format: a row is a line
const outputOptions = {
  out: targeted({ group: 'Output', identity: 'none', value: path('folder'), default: undefined, targets: 'all', help: 'folder for the results; joust-results/TIME by default' }),
  resume: targeted({ group: 'Output', identity: 'none', value: path('folder'), default: undefined, targets: 'all', conflicts: ['out'], help: 'continue from the results in this folder' }),
  report: targeted({ group: 'Output', identity: 'none', value: commaSeparated('formats', reportFormatNames), default: ['html'], targets: 'all', help: 'reports to write in addition to results.json, separated by commas; json writes only results.json' }),
  redact: targeted({ group: 'Output', identity: 'none', value: patterns, default: [], targets: 'all', help: 'hide text that matches these RE2 expressions in all output' }),
  showSecrets: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'do not hide detected secrets; hide only matches of --redact' }),
  baseline: targeted({ group: 'Output', identity: 'none', value: path('file'), default: undefined, targets: 'all', help: 'earlier results to compare with' }),
  forceBaseline: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', needs: ['baseline'], help: 'compare even with results of a different target or suite' }),
  failOn: targeted({ group: 'Output', identity: 'none', value: choice('what', [...tiers, ...severityLevels, 'regression']), default: undefined, targets: 'all', help: 'fail only on this tier, this severity or a regression; inconclusive results always fail' }),
  allowUnproven: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'report unproven attacks as resisted, with a note, instead of inconclusive; an attack is unproven if it does not even exploit the simulated agent that obeys everything' }),
  judge: targeted({ group: 'Output', identity: 'value', value: text('provider/model'), default: undefined, targets: 'all', help: 'model that judges semantic indicators; without it they are skipped' }),
  record: targeted({ group: 'Output', identity: 'none', value: path('folder'), default: undefined, targets: observed, alsoWith: 'judge', conflicts: ['replay'], help: 'record model calls in this folder' }),
  replay: targeted({ group: 'Output', identity: 'value', value: path('folder'), default: undefined, targets: observed, alsoWith: 'judge', help: 'answer model calls from recordings in this folder, without a provider' }),
  dryRun: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'print the planned connections and messages without running anything' }),
  json: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'print the results as JSON' }),
  quiet: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', short: 'q', conflicts: ['verbose'], help: 'print no progress and no warnings' }),
  verbose: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', short: 'v', help: 'also print the connections, every phase, and counts by category' }),
  watch: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', conflicts: ['resume', 'dryRun', 'json', 'queue'], help: 'keep running, and repeat an attack when its file changes, until Ctrl-C' }),
} satisfies TargetedTable

export const runOptions = {
  ...targetOptions,
  ...choiceOptions,
  ...adaptiveOptions,
  ...boundOptions,
  ...outputOptions,
  ...queueOptions,
} satisfies TargetedTable

export type TargetOptions = OptionsOf<typeof targetOptions>
export type RunOptions = OptionsOf<typeof runOptions>
