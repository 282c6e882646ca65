/** The options of `joust run`. */
import { severityLevels, tiers } from '@joust/oatf/enumerations'
import { reportFormatNames } from '@joust/report/formats'
import { adaptiveOptions } from './adaptive.ts'
import { choiceOptions } from './choice.ts'
import { commandOptions } from './command.ts'
import { queueOptions } from './fleet.ts'
import { type OptionsOf, type TargetedTable, targeted } from './option.ts'
import { price } from './price.ts'
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

const modelled = ['agent', 'model'] as const

/** Who is attacked, and how it is reached. */
// biome-ignore format: a row is a line
const targetOptions = {
  agent: targeted({ group: 'Target', value: path('file'), default: undefined, targets: 'all', conflicts: ['target', 'exec', 'acp'], help: 'attack an agent file; --model then stands in for its models' }),
  model: targeted({ group: 'Target', value: text('provider/model'), default: undefined, targets: 'all', conflicts: ['target', 'exec', 'acp'], help: 'attack a plain agent on this model; sim/credulous, sim/cautious and sim/silent need no key' }),
  target: targeted({ group: 'Target', value: endpoints, default: undefined, targets: 'all', conflicts: ['exec', 'acp'], help: 'attack endpoints: ag_ui=URL, a2a=URL, mcp=URL or mcp="command args"' }),
  exec: targeted({ group: 'Target', value: commandLine, default: undefined, targets: 'all', conflicts: ['acp'], help: 'attack a command, or an agent by name (joust presets list); {mcp_config}, {prompt}, {input}, {session}, {ACTOR.url} are filled in, and without {prompt} the prompt goes to standard input' }),
  acp: targeted({ group: 'Target', value: commandLine, default: undefined, targets: 'all', help: 'attack a command that speaks the Agent Client Protocol, or an agent by name: its session gets the MCP servers, --approve answers it' }),
  ...commandOptions,
  wire: targeted({ group: 'Target', value: pairs('client', 'server'), default: undefined, targets: 'all', help: 'client actors that attack server actors of the document; the others go to the target, if there is one' }),
  bind: targeted({ group: 'Target', value: pairs('alias', 'actor'), default: {}, targets: ['agent'], help: 'which actor plays a server or remote agent of another name' }),
  listen: targeted({ group: 'Target', value: listen, default: {}, targets: 'all', help: 'where a server actor listens, or actor=stdio; any free port of loopback by default' }),
  gateway: targeted({ group: 'Target', value: address, default: undefined, targets: ['endpoint', 'http'], help: 'fixed addresses for the server actors of all attacks, /mcp/1, /mcp/2, … and /a2a/1, …: to be put into the agent\'s configuration once' }),
  gatewayHeader: targeted({ group: 'Target', value: headerName, default: undefined, targets: ['endpoint', 'http'], needs: ['gateway'], help: 'a header that the agent passes on from its user to its servers: by it runs are told apart, and go side by side' }),
  listenToken: targeted({ group: 'Target', value: text('text'), default: undefined, targets: 'all', needs: ['listen'], help: `what peers of other machines have to send where --listen goes beyond loopback: Authorization: Bearer TEXT; \${NAME} is taken from the environment` }),
  header: targeted({ group: 'Target', fileKey: 'headers', value: headers, default: {}, targets: ['endpoint'], help: `headers to send; \${NAME} is taken from the environment` }),
  token: targeted({ group: 'Target', value: text('token'), default: undefined, targets: ['endpoint'], help: `a bearer token for endpoints that want one, as OAuth gives it; \${NAME} is taken from the environment` }),
  prompt: targeted({ group: 'Target', value: text('text'), default: undefined, targets: ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function'], help: 'what the agent is asked when the document has nobody who asks' }),
  approve: targeted({ group: 'Target', value: path('who', 'none', 'all'), default: 'none', targets: [...modelled, 'acp'], help: 'answer approvals with none, all, or a file that lists names' }),
  mcpVersion: targeted({ group: 'Target', value: text('version'), default: undefined, targets: ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function'], help: 'the version of MCP that server actors speak where the document says nothing; what the target is known to speak, else 2025-11-25' }),
  noControl: targeted({ group: 'Target', value: toggle, default: false, targets: ['agent', 'model', 'endpoint', 'command', 'acp', 'http', 'function'], help: 'do not ask first: the agent for one harmless tool call or an answer, which the results then say, or its model for a word' }),
  price: targeted({ group: 'Target', value: price, default: undefined, targets: modelled, help: 'dollars per million tokens, read and written, such as 1.25,10: the summary says what the runs cost' }),
  inProcess: targeted({ group: 'Target', value: toggle, default: false, targets: modelled, conflicts: ['wire'], help: 'reach server actors in memory, not over sockets' }),
  config: targeted({ group: 'Target', value: path('file'), default: undefined, targets: 'all', help: 'the project file; joust.yaml of this folder or of one above it by default' }),
  on: targeted({ group: 'Choice', value: texts('name'), default: [], targets: 'all', conflicts: ['agent', 'target', 'exec', 'acp'], help: 'only these targets of the project file' }),
  script: targeted({ group: 'Target', value: path('file'), default: undefined, targets: modelled, help: 'what sim/scripted says' }),
  allowHost: targeted({ group: 'Target', value: texts('host'), default: [], targets: 'all', help: 'hosts that documents may have reached (push notifications) beside loopback; names that actors answer to where --listen goes beyond it' }),
} satisfies TargetedTable

/** How far a run may go. */
// biome-ignore format: a row is a line
const boundOptions = {
  trials: targeted({ group: 'Bounds', value: count(), default: 1, targets: 'all', help: 'run each attack this often' }),
  concurrency: targeted({ group: 'Bounds', value: count(), default: undefined, targets: 'all', help: 'how many runs go on at a time; 4 by default. With --queue on each target over all workers, as many as they have room for by default' }),
  maxDuration: targeted({ group: 'Bounds', value: duration, default: undefined, targets: 'all', help: 'end a run after this time, for example 90s' }),
  observe: targeted({ group: 'Bounds', value: duration, default: undefined, targets: 'all', help: 'wait this long for requests of the agent once a client is done; 5s where the document answers some, else 250ms' }),
  grace: targeted({ group: 'Bounds', value: duration, default: undefined, targets: 'all', help: 'go on observing this long after a run, unless the document says how long' }),
  budgetTokens: targeted({ group: 'Bounds', fileKey: 'budget.tokens', value: count(), default: undefined, targets: modelled, alsoWith: 'judge', help: 'stop when all runs together have used so many tokens' }),
  budgetCalls: targeted({ group: 'Bounds', fileKey: 'budget.calls', value: count(), default: undefined, targets: modelled, alsoWith: 'judge', help: 'stop when all runs together have called models so often' }),
  budgetTime: targeted({ group: 'Bounds', fileKey: 'budget.time', value: duration, default: undefined, targets: 'all', help: 'stop after this time' }),
  retries: targeted({ group: 'Bounds', value: count(0), default: 0, targets: 'all', help: 'make a run again this often when it is inconclusive for a reason outside the agent: 429, 5xx, a lost connection' }),
  maxErrors: targeted({ group: 'Bounds', value: count(0), default: undefined, targets: 'all', help: 'fail when more runs than this are inconclusive' }),
} satisfies TargetedTable

const recordable = ['agent', 'model', 'endpoint'] as const

/** What becomes of the results. */
// biome-ignore format: a row is a line
const outputOptions = {
  out: targeted({ group: 'Output', value: path('folder'), default: undefined, targets: 'all', help: 'where results go; joust-results/TIME by default' }),
  resume: targeted({ group: 'Output', value: path('folder'), default: undefined, targets: 'all', conflicts: ['out'], help: 'go on from the results in this folder' }),
  report: targeted({ group: 'Output', value: commaSeparated('formats', reportFormatNames), default: ['html'], targets: 'all', help: 'files to write beside results.json, separated by commas; json for no other' }),
  redact: targeted({ group: 'Output', value: patterns, default: [], targets: 'all', help: 'hide what matches, before anything is written' }),
  showSecrets: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', help: 'keep what has the shape of a secret; hide only what --redact names' }),
  baseline: targeted({ group: 'Output', value: path('file'), default: undefined, targets: 'all', help: 'compare with earlier results' }),
  forceBaseline: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', needs: ['baseline'], help: 'compare also with results of another target or suite' }),
  failOn: targeted({ group: 'Output', value: choice('what', [...tiers, ...severityLevels, 'regression']), default: undefined, targets: 'all', help: 'let only this fail: a tier, a severity or regression; what is inconclusive always does' }),
  judge: targeted({ group: 'Output', value: text('provider/model'), default: undefined, targets: 'all', help: 'a model that judges semantic indicators; without one they are skipped' }),
  record: targeted({ group: 'Output', value: path('folder'), default: undefined, targets: recordable, conflicts: ['replay'], help: 'keep model calls and answers of endpoints' }),
  replay: targeted({ group: 'Output', value: path('folder'), default: undefined, targets: recordable, help: 'take model calls and answers of endpoints from there; never call anybody' }),
  dryRun: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', help: 'print what would be wired and sent, and do nothing' }),
  json: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', help: 'print the results as JSON' }),
  quiet: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', short: 'q', conflicts: ['verbose'], help: 'no progress and no warnings' }),
  verbose: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', short: 'v', help: 'also who is wired to whom, every phase, and counts by category' }),
  watch: targeted({ group: 'Output', value: toggle, default: false, targets: 'all', conflicts: ['resume', 'dryRun', 'json', 'queue'], help: 'stay, and run an attack again when its file changes; Ctrl-C ends' }),
} satisfies TargetedTable

/** All of them. */
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
