/** The options of `joust run`. */
import { severityLevels, tiers } from '@joust/oatf/enumerations'
import { reportFormatNames } from '@joust/report/formats'
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
  duration,
  endpoints,
  headerName,
  headers,
  listen,
  pairs,
  path,
  patterns,
  text,
  texts,
  toggle,
} from './values.ts'

/** Dollars per million tokens, read and written. */
export interface Price {
  readonly input: number
  readonly output: number
}

/** `1.25,10` */
const price: ValueKind<Price> = {
  placeholder: 'in,out',
  shape: shapes.text,
  read: ([text = ''], option) => {
    const [, input, output] = /^(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)$/.exec(text) ?? []
    return input === undefined || output === undefined
      ? err(`${option} expects dollars per million tokens, in and out, such as 1.25,10, not "${text}"`)
      : ok({ input: Number(input), output: Number(output) })
  },
}

const modelled = ['agent', 'model'] as const

/** Who is attacked, and how it is reached. */
// biome-ignore format: a row is a line
const targetOptions = {
  agent: targeted({ group: 'Target', identity: 'none', value: path('file'), default: undefined, targets: 'all', conflicts: ['target', 'exec', 'acp'], help: 'attack an agent file; --model replaces the models it names' }),
  model: targeted({ group: 'Target', identity: 'none', value: text('provider/model'), default: undefined, targets: 'all', conflicts: ['target', 'exec', 'acp'], help: 'attack a bare agent that runs on this model; sim/credulous, sim/cautious and sim/silent need no key' }),
  target: targeted({ group: 'Target', identity: 'fingerprint', value: endpoints, default: undefined, targets: 'all', conflicts: ['exec', 'acp'], help: 'attack endpoints: ag_ui=URL, a2a=URL, mcp=URL or mcp="command args"' }),
  exec: targeted({ group: 'Target', identity: 'fingerprint', value: commandLine, default: undefined, targets: 'all', conflicts: ['acp'], help: 'attack a command, or an agent by name (joust presets list); {mcp_config}, {prompt}, {input}, {session}, {ACTOR.url} are filled in; without {prompt} the prompt goes to standard input' }),
  acp: targeted({ group: 'Target', identity: 'fingerprint', value: commandLine, default: undefined, targets: 'all', help: 'attack a command that speaks the Agent Client Protocol, or an agent by name; its session gets the MCP servers, and --approve answers its permission requests' }),
  ...commandOptions,
  wire: targeted({ group: 'Target', identity: 'value', value: pairs('client', 'server'), default: undefined, targets: 'all', help: 'client actors that attack server actors of the document; the others go to the target, if there is one' }),
  bind: targeted({ group: 'Target', identity: 'value', value: pairs('alias', 'actor'), default: {}, targets: ['agent'], help: 'which actor stands in for a server or remote agent that has another name' }),
  listen: targeted({ group: 'Target', identity: 'none', value: listen, default: {}, targets: 'all', help: 'where a server actor listens, or actor=stdio, which moves the results to stderr; any free port on loopback by default' }),
  gateway: targeted({ group: 'Target', identity: 'given', value: address, default: undefined, targets: ['endpoint', 'http'], help: 'fixed addresses for the server actors of all attacks, /mcp/1, /mcp/2, … and /a2a/1, …; put them into the agent\'s configuration once' }),
  gatewayHeader: targeted({ group: 'Target', identity: 'value', value: headerName, default: undefined, targets: ['endpoint', 'http'], needs: ['gateway'], help: 'a header that the agent passes from its user on to its servers; it tells runs apart, so that they can run side by side' }),
  listenToken: targeted({ group: 'Target', identity: 'none', value: text('text'), default: undefined, targets: 'all', needs: ['listen'], help: `what peers on other machines have to send when --listen goes beyond loopback: Authorization: Bearer TEXT; \${NAME} is taken from the environment` }),
  header: targeted({ group: 'Target', identity: 'names', fileKey: 'headers', value: headers, default: {}, targets: ['endpoint'], help: `headers to send; \${NAME} is taken from the environment` }),
  token: targeted({ group: 'Target', identity: 'given', value: text('token'), default: undefined, targets: ['endpoint'], help: `a bearer token for endpoints that require one, such as an OAuth access token; \${NAME} is taken from the environment` }),
  prompt: targeted({ group: 'Target', identity: 'fingerprint', value: text('text'), default: undefined, targets: ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function'], help: 'what to ask the agent when no actor of the document does' }),
  approve: targeted({ group: 'Target', identity: 'value', value: path('who', 'none', 'all'), default: 'none', targets: [...modelled, 'acp'], help: 'which approvals to grant: none, all, or those named in a file' }),
  mcpVersion: targeted({ group: 'Target', identity: 'value', value: text('version'), default: undefined, targets: ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function'], help: 'the MCP version that server actors speak unless the document names one; by default what the target is known to speak, else 2025-11-25' }),
  noControl: targeted({ group: 'Target', identity: 'none', value: toggle, default: false, targets: ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function'], help: 'skip the control run, which first asks the agent for one harmless tool call or answer, or its model for a word or a tool call; the results say so' }),
  price: targeted({ group: 'Target', identity: 'none', value: price, default: undefined, targets: modelled, help: 'dollars per million input and output tokens, such as 1.25,10; the summary then says what the runs cost' }),
  inProcess: targeted({ group: 'Target', identity: 'value', value: toggle, default: false, targets: modelled, conflicts: ['wire'], help: 'reach server actors in memory instead of over sockets' }),
  config: targeted({ group: 'Target', identity: 'none', value: path('file'), default: undefined, targets: 'all', help: 'the project file; by default joust.yaml in this folder or one above it' }),
  on: targeted({ group: 'Choice', identity: 'none', value: texts('name'), default: [], targets: 'all', conflicts: ['agent', 'target', 'exec', 'acp'], help: 'only these targets of the project file' }),
  script: targeted({ group: 'Target', identity: 'value', value: path('file'), default: undefined, targets: modelled, help: 'what sim/scripted says' }),
  allowHost: targeted({ group: 'Target', identity: 'value', value: texts('host'), default: [], targets: 'all', help: 'hosts besides loopback that documents may send push notifications to; also the names that actors answer to when --listen goes beyond loopback' }),
} satisfies TargetedTable

/** How far a run may go. */
// biome-ignore format: a row is a line
const boundOptions = {
  trials: targeted({ group: 'Bounds', identity: 'none', value: count(), default: 1, targets: 'all', help: 'run each attack this many times' }),
  concurrency: targeted({ group: 'Bounds', identity: 'none', value: count(), default: undefined, targets: 'all', help: 'how many runs at a time, 4 by default; with --queue the limit per target across all workers, by default as many as they have room for' }),
  maxDuration: targeted({ group: 'Bounds', identity: 'listeners', value: duration, default: undefined, targets: 'all', help: 'end a run after this time, for example 90s' }),
  replyTimeout: targeted({ group: 'Bounds', identity: 'none', value: duration, default: undefined, targets: 'all', help: 'how long an answer of the agent may take to begin; 60s by default, 5m for a turn of a command, ACP, HTTP or function target' }),
  observe: targeted({ group: 'Bounds', identity: 'value', value: duration, default: undefined, targets: 'all', help: 'wait this long for requests from the agent once a client is done; 5s if the document answers any, else 250ms' }),
  grace: targeted({ group: 'Bounds', identity: 'value', value: duration, default: undefined, targets: 'all', help: 'keep observing this long after a run, unless the document says how long' }),
  budgetTokens: targeted({ group: 'Bounds', identity: 'none', fileKey: 'budget.tokens', value: count(), default: undefined, targets: modelled, alsoWith: 'judge', help: 'stop once all runs together have used this many tokens' }),
  budgetCalls: targeted({ group: 'Bounds', identity: 'none', fileKey: 'budget.calls', value: count(), default: undefined, targets: modelled, alsoWith: 'judge', help: 'stop once all runs together have made this many model calls' }),
  budgetTime: targeted({ group: 'Bounds', identity: 'none', fileKey: 'budget.time', value: duration, default: undefined, targets: 'all', help: 'stop after this time' }),
  retries: targeted({ group: 'Bounds', identity: 'none', value: count(0), default: 0, targets: 'all', help: 'repeat a run up to this many times when it is inconclusive for a reason outside the agent: 429, 5xx, a lost connection' }),
  maxErrors: targeted({ group: 'Bounds', identity: 'none', value: count(0), default: undefined, targets: 'all', help: 'fail when more runs than this are inconclusive; one in which the agent matched always fails' }),
} satisfies TargetedTable

const recordable = ['agent', 'model', 'endpoint'] as const

/** What happens to the results. */
// biome-ignore format: a row is a line
const outputOptions = {
  out: targeted({ group: 'Output', identity: 'none', value: path('folder'), default: undefined, targets: 'all', help: 'where results go; joust-results/TIME by default' }),
  resume: targeted({ group: 'Output', identity: 'none', value: path('folder'), default: undefined, targets: 'all', conflicts: ['out'], help: 'continue from the results in this folder' }),
  report: targeted({ group: 'Output', identity: 'none', value: commaSeparated('formats', reportFormatNames), default: ['html'], targets: 'all', help: 'files to write besides results.json, separated by commas; json for none' }),
  redact: targeted({ group: 'Output', identity: 'none', value: patterns, default: [], targets: 'all', help: 'hide whatever matches before anything is written' }),
  showSecrets: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'keep what looks like a secret; hide only what --redact names' }),
  baseline: targeted({ group: 'Output', identity: 'none', value: path('file'), default: undefined, targets: 'all', help: 'compare with earlier results' }),
  forceBaseline: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', needs: ['baseline'], help: 'compare even with results of another target or suite' }),
  failOn: targeted({ group: 'Output', identity: 'none', value: choice('what', [...tiers, ...severityLevels, 'regression']), default: undefined, targets: 'all', help: 'fail only on this: a tier, a severity or regression; inconclusive results always fail' }),
  judge: targeted({ group: 'Output', identity: 'value', value: text('provider/model'), default: undefined, targets: 'all', help: 'a model that judges semantic indicators; without one they are skipped' }),
  record: targeted({ group: 'Output', identity: 'none', value: path('folder'), default: undefined, targets: recordable, conflicts: ['replay'], help: 'record model calls and answers of endpoints' }),
  replay: targeted({ group: 'Output', identity: 'value', value: path('folder'), default: undefined, targets: recordable, help: 'replay model calls and answers of endpoints from this folder; make no calls' }),
  dryRun: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'print what would be wired and sent, and do nothing' }),
  json: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', help: 'print the results as JSON' }),
  quiet: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', short: 'q', conflicts: ['verbose'], help: 'no progress and no warnings' }),
  verbose: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', short: 'v', help: 'also print who is wired to whom, every phase, and counts by category' }),
  watch: targeted({ group: 'Output', identity: 'none', value: toggle, default: false, targets: 'all', conflicts: ['resume', 'dryRun', 'json', 'queue'], help: 'keep running, and repeat an attack when its file changes; Ctrl-C ends it' }),
} satisfies TargetedTable

/** All options of `joust run`. */
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
