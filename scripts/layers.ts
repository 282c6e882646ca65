/** Who may import whom, as data. `check-imports` enforces it, `generate` prints it into ARCHITECTURE.md. */

export interface PackageLayer {
  /** The name that others import it by. */
  readonly name: string
  /** Its folder under `packages`. */
  readonly folder: string
  readonly is: string
  /** Packages of this repository that it may import. */
  readonly imports: readonly string[]
  /** Packages that only these folders and files under `src` may import in addition: optional peers. */
  readonly peers?: { readonly only: readonly string[]; readonly imports: readonly string[] }
  /** Whether it may import `node:*`: anywhere, nowhere, or in these folders and files under `src`. */
  readonly node: boolean | readonly string[]
}

export interface FolderLayer {
  readonly package: string
  readonly name: string
  readonly is: string
  /** Folders and files under `src`. */
  readonly files: readonly string[]
  /** Layers of the same package that it may import, besides itself. */
  readonly imports: readonly string[]
}

export interface Library {
  readonly name: string
  /** The file or folder that may import it; more than one only where we implement both ends of a protocol. */
  readonly only: string | readonly string[]
}

interface LightEntry {
  readonly file: string
  /** Libraries that must not be loaded with it; they are left to `import()`. */
  readonly without: readonly string[]
}

export const packageLayers: readonly PackageLayer[] = [
  { name: '@joust/source', folder: 'source', is: 'text with positions', imports: [], node: false },
  { name: '@joust/io', folder: 'io', is: 'clock, signals, files, processes, access', imports: [], node: true },
  { name: '@joust/oatf', folder: 'oatf', is: 'OATF SDK', imports: ['@joust/source'], node: false },
  {
    name: '@joust/agentformat',
    folder: 'agentformat',
    is: 'Agent Format SDK',
    imports: ['@joust/source'],
    node: false,
  },
  {
    name: '@joust/conformance',
    folder: 'conformance',
    is: 'the official OATF fixtures, run against the SDK',
    imports: ['@joust/source', '@joust/oatf'],
    node: true,
  },
  {
    name: '@joust/language',
    folder: 'language',
    is: 'what editors ask',
    imports: ['@joust/source', '@joust/oatf', '@joust/agentformat'],
    node: false,
  },
  { name: '@joust/sim', folder: 'sim', is: 'simulated models', imports: ['@joust/source'], node: false },
  {
    name: '@joust/models',
    folder: 'models',
    is: 'models as a service',
    imports: ['@joust/source', '@joust/io'],
    node: ['http/', 'recording/recording.ts', 'proxy.ts'],
  },
  {
    name: '@joust/runtime',
    folder: 'runtime',
    is: 'runs agents',
    imports: ['@joust/source', '@joust/io', '@joust/agentformat', '@joust/sim'],
    node: ['connectors/', 'serve/', 'config/', 'events/jsonl.ts', 'journal/'],
  },
  {
    name: '@joust/results',
    folder: 'results',
    is: 'what came out of runs: model, formats, statistics, redaction',
    imports: ['@joust/source', '@joust/oatf'],
    peers: { only: ['files/'], imports: ['@joust/io'] },
    node: ['files/'],
  },
  {
    name: '@joust/arena',
    folder: 'arena',
    is: 'plays one attack and judges it',
    imports: ['@joust/source', '@joust/io', '@joust/oatf', '@joust/models', '@joust/results'],
    peers: { only: ['judge/model/'], imports: ['@joust/agentformat', '@joust/sim', '@joust/runtime'] },
    node: ['transport/'],
  },
  {
    name: '@joust/targets',
    folder: 'targets',
    is: 'the agent under attack, and its preflight',
    imports: ['@joust/source', '@joust/io', '@joust/oatf', '@joust/models', '@joust/results', '@joust/arena'],
    peers: { only: ['agent.ts', 'agent/'], imports: ['@joust/agentformat', '@joust/runtime'] },
    node: true,
  },
  {
    name: '@joust/trials',
    folder: 'trials',
    is: 'many runs: plan, queue, ledger, budget',
    imports: ['@joust/source', '@joust/io', '@joust/oatf', '@joust/results', '@joust/arena', '@joust/targets'],
    node: ['finished-trials.ts', 'folder.ts'],
  },
  {
    name: '@joust/adaptive',
    folder: 'adaptive',
    is: 'search, harden, prove',
    imports: [
      '@joust/source',
      '@joust/oatf',
      '@joust/agentformat',
      '@joust/sim',
      '@joust/runtime',
      '@joust/results',
      '@joust/arena',
      '@joust/targets',
      '@joust/trials',
    ],
    node: false,
  },
  {
    name: '@joust/report',
    folder: 'report',
    is: 'reports on results and findings',
    imports: ['@joust/source', '@joust/oatf', '@joust/results'],
    node: false,
  },
  {
    name: '@joust/fleet',
    folder: 'fleet',
    is: 'campaigns over many machines',
    imports: [
      '@joust/source',
      '@joust/io',
      '@joust/oatf',
      '@joust/results',
      '@joust/arena',
      '@joust/targets',
      '@joust/trials',
    ],
    node: true,
  },
  {
    name: '@joust/studio',
    folder: 'studio',
    is: 'the web application and its server',
    imports: ['@joust/source', '@joust/io', '@joust/oatf', '@joust/language', '@joust/results', '@joust/report'],
    node: ['server/'],
  },
  {
    name: 'joust',
    folder: 'cli',
    is: 'the command',
    imports: [
      '@joust/source',
      '@joust/io',
      '@joust/oatf',
      '@joust/agentformat',
      '@joust/conformance',
      '@joust/language',
      '@joust/sim',
      '@joust/runtime',
      '@joust/models',
      '@joust/results',
      '@joust/arena',
      '@joust/targets',
      '@joust/trials',
      '@joust/adaptive',
      '@joust/report',
      '@joust/fleet',
      '@joust/studio',
    ],
    node: true,
  },
]

const agentRunGround = ['model', 'budget', 'governance', 'context']
const ground = ['model', 'bindings', 'adapters', 'primitives']
const agentGround = ['model', 'data-flow', 'conditions', 'sources', 'schema', 'paths', 'policies']

// `rules`, `lint` and `steps` leave out `adapters`: what checks a document must not load the CEL and JSONPath
// libraries.
// biome-ignore format: a row is a line
export const folderLayers: readonly FolderLayer[] = [
  { package: 'source', name: 'model', files: ['model/'], imports: [], is: 'values, paths, diagnostics, results, limits; what a text that was read is' },
  { package: 'source', name: 'text', files: ['text/'], imports: ['model'], is: 'lines, frames, cuts, differences, variables, printable text, "did you mean"' },
  { package: 'source', name: 'values', files: ['values/'], imports: ['model', 'text'], is: 'values compared and described' },
  { package: 'source', name: 'json', files: ['json/'], imports: ['model', 'text'], is: 'JSON read and written' },
  { package: 'source', name: 'regex', files: ['regex/'], imports: ['model', 'text'], is: 'RE2, wrapped and bounded' },
  { package: 'source', name: 'shapes', files: ['shapes/'], imports: ['model', 'text', 'values'], is: 'what a value has to look like, checked and as JSON Schema' },
  { package: 'source', name: 'yaml', files: ['yaml/'], imports: ['model', 'text', 'json'], is: 'YAML read with the place of everything in it' },
  { package: 'source', name: 'patch', files: ['patch/'], imports: ['model', 'text', 'values', 'json', 'yaml'], is: 'a text edited until it says something else' },
  { package: 'source', name: 'format', files: ['format/'], imports: ['model', 'text', 'values', 'json', 'yaml', 'patch'], is: 'a text laid out' },
  { package: 'source', name: 'index', files: ['index.ts'], imports: ['model', 'text', 'values', 'json', 'regex', 'shapes', 'yaml', 'patch', 'format'], is: 'the public names' },
  { package: 'oatf', name: 'model', files: ['model/'], imports: [], is: 'types, shapes and enumerations of a document' },
  { package: 'oatf', name: 'bindings', files: ['bindings/'], imports: ['model'], is: 'protocols as plain tables' },
  { package: 'oatf', name: 'adapters', files: ['adapters/'], imports: ['model'], is: 'CEL and JSONPath, wrapped and bounded' },
  { package: 'oatf', name: 'primitives', files: ['primitives/'], imports: ['model', 'bindings', 'adapters'], is: 'one function of the specification per file' },
  { package: 'oatf', name: 'walk', files: ['walk/'], imports: ['model', 'bindings', 'primitives'], is: 'every part of a document with its path, in any execution form' },
  { package: 'oatf', name: 'traffic', files: ['traffic/'], imports: ['model', 'bindings', 'primitives', 'walk'], is: 'messages that states lead to and indicators look at' },
  { package: 'oatf', name: 'rules', files: ['rules/'], imports: ['model', 'bindings', 'primitives', 'walk'], is: 'validation: one rule per file, one table' },
  { package: 'oatf', name: 'steps', files: ['steps/'], imports: ['model', 'bindings', 'primitives'], is: 'normalization: one step per file, one table' },
  { package: 'oatf', name: 'evaluate', files: ['evaluate/'], imports: ground, is: 'indicators against messages, verdicts' },
  { package: 'oatf', name: 'exposure', files: ['exposure/'], imports: ['model', 'bindings', 'primitives', 'walk'], is: 'what an attacker wrote, and what of it was sent' },
  { package: 'oatf', name: 'dialects', files: ['dialects/'], imports: ['model', 'bindings', 'primitives', 'walk', 'rules', 'exposure'], is: 'documents as they are written elsewhere: one translation per file, one table' },
  { package: 'oatf', name: 'lint', files: ['lint/'], imports: ['model', 'bindings', 'primitives', 'walk', 'traffic', 'rules', 'evaluate', 'exposure', 'dialects'], is: 'advice beyond conformance: one rule per file, one table' },
  { package: 'oatf', name: 'mutations', files: ['mutations/'], imports: ['walk', 'exposure'], is: 'the bait of an attack rewritten: a list for each kind, one table' },
  {
    package: 'oatf',
    name: 'entry points',
    files: ['parse.ts', 'validate.ts', 'normalize.ts', 'serialize.ts', 'schema.ts', 'load.ts', 'loading.ts', 'loaded-attack.ts', 'lint.ts', 'on-demand.ts', 'explain.ts', 'mutate.ts', 'placebo.ts', 'synthesize.ts', 'version-first.ts', 'vocabulary.ts'],
    imports: [...ground, 'walk', 'traffic', 'rules', 'steps', 'evaluate', 'exposure', 'dialects', 'lint', 'mutations'],
    is: 'one function of the SDK per file',
  },
  { package: 'oatf', name: 'index', files: ['index.ts'], imports: [...ground, 'walk', 'traffic', 'rules', 'steps', 'evaluate', 'exposure', 'dialects', 'lint', 'mutations', 'entry points'], is: 'the public names' },
  { package: 'language', name: 'model', files: ['model.ts'], imports: [], is: 'what editors ask and get' },
  { package: 'language', name: 'text', files: ['text/'], imports: [], is: 'where a cursor is, even in broken text' },
  { package: 'language', name: 'context', files: ['context.ts', 'kind.ts'], imports: ['model', 'text'], is: 'a file that something is asked about, and its kind' },
  { package: 'language', name: 'grammar', files: ['grammar/'], imports: ['model', 'context'], is: 'what a schema allows at a place, and what to say about it' },
  { package: 'language', name: 'documents', files: ['documents/'], imports: ['model', 'context', 'text'], is: 'parts of documents, their names, and the files that they lead to' },
  { package: 'language', name: 'completion', files: ['completion/'], imports: ['model', 'text', 'grammar', 'context', 'documents'], is: 'what fits at a place, and how it is written' },
  { package: 'language', name: 'features', files: ['features/'], imports: ['model', 'text', 'grammar', 'context', 'documents', 'completion'], is: 'one question of an editor per file' },
  { package: 'language', name: 'index', files: ['language.ts', 'index.ts'], imports: ['model', 'context', 'features'], is: 'the public names' },
  { package: 'sim', name: 'english', files: ['english/'], imports: [], is: 'words, sentences and what they ask for' },
  { package: 'sim', name: 'prompt', files: ['prompt/'], imports: ['english'], is: 'who wrote what, the tools on offer, the calls so far' },
  { package: 'sim', name: 'arguments', files: ['arguments/'], imports: ['english', 'prompt'], is: 'values for a call, from the words and from what was seen' },
  { package: 'sim', name: 'orders', files: ['orders/'], imports: ['english', 'prompt', 'arguments'], is: 'what obeying comes to' },
  { package: 'sim', name: 'models', files: ['models/'], imports: ['english', 'prompt', 'arguments', 'orders'], is: 'the simulated models' },
  { package: 'sim', name: 'index', files: ['index.ts'], imports: ['prompt', 'models'], is: 'the public names' },
  { package: 'models', name: 'model', files: ['model/'], imports: [], is: 'calls, exchanges, diagnostics, errors; limits' },
  { package: 'models', name: 'wire', files: ['wire/'], imports: ['model'], is: 'the four wire formats, read into one shape and written' },
  { package: 'models', name: 'http', files: ['http/'], imports: ['model', 'wire'], is: 'bytes passed on, answers sent, and the copies that are kept' },
  { package: 'models', name: 'proxy', files: ['proxy.ts', 'local-run.ts', 'run-log.ts'], imports: ['model', 'wire', 'http'], is: 'the server, calls of this process, and the calls of each run' },
  { package: 'models', name: 'simulated', files: ['simulated.ts', 'text-tools.ts'], imports: ['model', 'wire', 'http'], is: 'answers from a model of this process' },
  { package: 'models', name: 'recording', files: ['recording/'], imports: ['model', 'wire', 'http', 'proxy'], is: 'exchanges in a file, and answers from it' },
  { package: 'models', name: 'reading', files: ['reading.ts', 'reading/'], imports: ['model'], is: 'evidence that a text is in a request' },
  { package: 'models', name: 'index', files: ['index.ts'], imports: ['model', 'wire', 'http', 'proxy', 'simulated', 'recording', 'reading'], is: 'the public names' },
  { package: 'results', name: 'model', files: ['model/'], imports: [], is: 'results, outcomes, verdicts, diagnostics and trace entries as plain types; limits' },
  { package: 'results', name: 'trace', files: ['trace/'], imports: ['model'], is: 'lines of a trace, ours and those of ThoughtJack' },
  { package: 'results', name: 'format', files: ['format/'], imports: ['model'], is: '`results.json`: its shape, reading and writing' },
  { package: 'results', name: 'redaction', files: ['redaction/'], imports: ['model', 'trace', 'format'], is: 'secrets, found and hidden' },
  { package: 'results', name: 'describe', files: ['describe/'], imports: ['model'], is: 'attacks and evidence in words' },
  { package: 'results', name: 'statistics', files: ['statistics/'], imports: ['model'], is: 'counts, rates, intervals, comparisons, exit codes' },
  { package: 'results', name: 'files', files: ['files/', 'files.ts'], imports: ['model', 'trace', 'format'], is: 'results and traces on disk' },
  { package: 'results', name: 'index', files: ['index.ts', 'join.ts'], imports: ['model', 'trace', 'format', 'redaction', 'describe', 'statistics'], is: 'the public names' },
  { package: 'arena', name: 'model', files: ['model/'], imports: [], is: 'options, errors, needs, targets and wiring as plain types; limits' },
  { package: 'arena', name: 'transport', files: ['transport/'], imports: ['model'], is: 'bytes: HTTP, event streams, pipes' },
  { package: 'arena', name: 'ag-ui', files: ['ag-ui/'], imports: [], is: 'assembled AG-UI events' },
  { package: 'arena', name: 'drivers', files: ['drivers/'], imports: ['model', 'transport', 'ag-ui'], is: 'one mode of a protocol per folder' },
  { package: 'arena', name: 'trace', files: ['trace/'], imports: ['model'], is: 'recording messages, and the value that paths start from' },
  { package: 'arena', name: 'actors', files: ['actors/'], imports: ['model', 'transport', 'drivers', 'trace'], is: 'phases, triggers, extractors' },
  { package: 'arena', name: 'judge', files: ['judge/'], imports: ['model', 'trace', 'ag-ui'], is: 'verdicts and outcomes from traces; a model as judge' },
  { package: 'arena', name: 'run', files: ['run.ts'], imports: ['model', 'actors', 'judge', 'trace'], is: 'one attack, once' },
  { package: 'arena', name: 'wire', files: ['wire.ts'], imports: ['model', 'transport', 'drivers'], is: 'public names for targets: transports and protocol messages' },
  { package: 'arena', name: 'index', files: ['index.ts'], imports: ['model', 'trace', 'judge', 'run'], is: 'the public names' },
  { package: 'targets', name: 'limits', files: ['limits.ts'], imports: [], is: 'bounds' },
  { package: 'targets', name: 'models', files: ['models/'], imports: ['limits'], is: 'the model proxy between an agent and its model' },
  { package: 'targets', name: 'chat', files: ['chat/'], imports: ['limits'], is: 'the chat interface that client actors talk to' },
  { package: 'targets', name: 'kinds', files: ['command/', 'command.ts', 'acp/', 'endpoint/', 'endpoint.ts', 'http/', 'http.ts', 'function.ts', 'agent/', 'agent.ts', 'presets/', 'simulated-server.ts'], imports: ['limits', 'models', 'chat', 'gateway'], is: 'one kind of agent per file' },
  { package: 'targets', name: 'gateway', files: ['gateway/', 'gateway.ts'], imports: ['limits'], is: 'fixed addresses for servers of attacks' },
  { package: 'targets', name: 'preflight', files: ['preflight/'], imports: ['limits', 'chat'], is: 'one harmless question before a suite' },
  { package: 'targets', name: 'index', files: ['index.ts'], imports: ['models', 'chat', 'kinds', 'gateway', 'preflight'], is: 'the public names' },
  { package: 'adaptive', name: 'limits', files: ['limits.ts'], imports: [], is: 'bounds' },
  { package: 'adaptive', name: 'search', files: ['search/'], imports: ['limits'], is: 'a search for a bait that gets through' },
  { package: 'adaptive', name: 'attacker', files: ['attacker/'], imports: ['limits', 'search'], is: 'a model as attacker' },
  { package: 'adaptive', name: 'harden', files: ['harden/'], imports: ['limits'], is: 'the smallest change to an agent file that stops attacks' },
  { package: 'adaptive', name: 'prove', files: ['prove/'], imports: ['limits'], is: 'a check that a document separates agents' },
  { package: 'adaptive', name: 'index', files: ['index.ts'], imports: ['search', 'attacker', 'harden', 'prove'], is: 'the public names' },
  { package: 'fleet', name: 'model', files: ['campaign.ts', 'limits.ts', 'errors.ts'], imports: [], is: 'campaigns as plain data; limits, errors' },
  { package: 'fleet', name: 'database', files: ['database.ts', 'schema.ts', 'libraries.ts'], imports: ['model'], is: 'PostgreSQL: connected, with its tables, asked again' },
  { package: 'fleet', name: 'queue', files: ['queue.ts', 'leases.ts', 'pending-targets.ts'], imports: ['model', 'database'], is: 'runs on BullMQ, on leases' },
  { package: 'fleet', name: 'books', files: ['ledger.ts', 'campaigns.ts', 'live.ts', 'status.ts', 'checked-runs.ts', 'results.ts'], imports: ['model', 'database', 'queue'], is: 'campaigns and what came of their runs' },
  { package: 'fleet', name: 'fleet', files: ['fleet.ts', 'worker.ts', 'worker-target.ts', 'preflight.ts'], imports: ['model', 'database', 'queue', 'books'], is: 'what coordinators and workers do' },
  { package: 'fleet', name: 'index', files: ['index.ts'], imports: ['model', 'database', 'books', 'fleet'], is: 'the public names' },
  { package: 'report', name: 'content', files: ['content/'], imports: [], is: 'what reports say, before any format' },
  { package: 'report', name: 'syntax', files: ['syntax/'], imports: [], is: 'SARIF, XML, Markdown and workflow commands that no text can break' },
  { package: 'report', name: 'results', files: ['results/'], imports: ['content', 'syntax'], is: 'results as text, one format per file' },
  { package: 'report', name: 'components', files: ['components/'], imports: [], is: 'results and traces as Preact components' },
  { package: 'report', name: 'html', files: ['html/'], imports: ['content', 'components'], is: 'results and traces as one page' },
  { package: 'report', name: 'findings', files: ['findings.ts'], imports: ['syntax'], is: 'findings in documents, in the formats of others' },
  { package: 'report', name: 'formats', files: ['formats.ts'], imports: ['content', 'results', 'html'], is: 'the table of formats' },
  { package: 'report', name: 'index', files: ['index.ts'], imports: ['content', 'results', 'html'], is: 'the public names' },
  { package: 'cli', name: 'terminal', files: ['terminal/'], imports: [], is: 'streams, exit codes, signals' },
  { package: 'cli', name: 'input', files: ['input/'], imports: ['terminal'], is: 'files, folders and globs' },
  { package: 'cli', name: 'render', files: ['render/'], imports: ['terminal', 'input', 'options'], is: 'text for people and programs' },
  { package: 'cli', name: 'project', files: ['project/'], imports: ['terminal', 'input', 'render', 'options'], is: 'joust.yaml, and the targets that it names' },
  { package: 'cli', name: 'agent', files: ['agent/'], imports: ['terminal', 'input', 'render', 'options', 'project'], is: 'agent files on this machine' },
  { package: 'cli', name: 'report', files: ['report/'], imports: ['terminal'], is: 'results read, reports written' },
  { package: 'cli', name: 'options', files: ['options/'], imports: [], is: 'one table of options per command, and how it is read' },
  { package: 'cli', name: 'check', files: ['check/'], imports: ['terminal', 'input', 'render', 'options', 'agent'], is: 'findings in documents' },
  { package: 'cli', name: 'target', files: ['target/'], imports: ['terminal', 'input', 'options', 'project', 'agent'], is: 'who is attacked, opened and checked' },
  { package: 'cli', name: 'run', files: ['run/'], imports: ['terminal', 'input', 'render', 'options', 'project', 'report', 'check', 'target'], is: 'a run: prepared, made, kept and compared' },
  { package: 'cli', name: 'init', files: ['init/'], imports: ['terminal', 'input'], is: 'what joust init looks for and writes' },
  { package: 'cli', name: 'fleet', files: ['fleet/'], imports: ['terminal', 'input', 'render', 'options', 'project', 'target', 'run'], is: 'targets as data, campaigns followed' },
  { package: 'cli', name: 'studio', files: ['studio/'], imports: ['terminal', 'input', 'options', 'project', 'run'], is: 'what the studio asks of the command' },
  { package: 'cli', name: 'language-server', files: ['language-server/'], imports: ['terminal', 'input', 'project'], is: 'the Language Server Protocol' },
  { package: 'cli', name: 'commands', files: ['commands/'], imports: ['terminal', 'input', 'init', 'render', 'options', 'project', 'agent', 'report', 'check', 'target', 'run', 'fleet', 'language-server', 'studio'], is: 'one command per file' },
  { package: 'cli', name: 'program', files: ['program/', 'program.ts', 'main.ts'], imports: ['terminal', 'options', 'commands'], is: 'argv in, exit code out' },
  { package: 'studio', name: 'model', files: ['model/'], imports: [], is: 'what server and page say to each other; limits' },
  { package: 'studio', name: 'server', files: ['server/'], imports: ['model'], is: 'loopback, files, suites, campaigns' },
  { package: 'studio', name: 'client', files: ['client/'], imports: ['model'], is: 'the page, and the worker of its editor' },
  { package: 'studio', name: 'index', files: ['index.ts'], imports: ['model', 'server'], is: 'the public names' },
  { package: 'runtime', name: 'model', files: ['model/'], imports: [], is: 'options, bindings, events, errors and ports as plain types; limits' },
  { package: 'runtime', name: 'journal', files: ['journal/'], imports: ['model'], is: 'what a run was told, kept in a file for the process that continues it' },
  { package: 'runtime', name: 'budget', files: ['budget/'], imports: ['model'], is: 'what a run may use and has used' },
  { package: 'runtime', name: 'governance', files: ['governance/'], imports: ['model', 'budget'], is: 'policies of a registry' },
  { package: 'runtime', name: 'context', files: ['context/'], imports: ['model', 'budget', 'governance'], is: 'what an agent that runs knows, and what a policy gets' },
  { package: 'runtime', name: 'events', files: ['events/'], imports: ['model'], is: 'telling what happens' },
  { package: 'runtime', name: 'memory', files: ['memory/'], imports: ['model', 'context'], is: 'scopes, recalling and remembering' },
  { package: 'runtime', name: 'approvals', files: ['approvals/'], imports: ['model', 'context'], is: 'who has to be asked, and asking' },
  { package: 'runtime', name: 'models', files: ['models/'], imports: ['model', 'context'], is: 'providers, simulated models, one question to a model' },
  { package: 'runtime', name: 'mapping', files: ['mapping/'], imports: agentRunGround, is: 'values between agents: inputs, outputs, conditions, interfaces' },
  { package: 'runtime', name: 'tools', files: ['tools/'], imports: [...agentRunGround, 'approvals', 'models'], is: 'what an agent can call, one kind per file' },
  { package: 'runtime', name: 'connectors', files: ['connectors/'], imports: ['model'], is: 'MCP servers and remote agents over their protocols' },
  { package: 'runtime', name: 'connections', files: ['connections/'], imports: [...agentRunGround, 'tools', 'connectors'], is: 'connections shared by runs, and the callables over them' },
  { package: 'runtime', name: 'react', files: ['react/'], imports: [...agentRunGround, 'models', 'mapping', 'tools'], is: 'the parts of agf.react' },
  { package: 'runtime', name: 'policies', files: ['policies/'], imports: [...agentRunGround, 'mapping', 'react'], is: 'one execution policy per file, one table' },
  { package: 'runtime', name: 'execute', files: ['execute/'], imports: [...agentRunGround, 'events', 'memory', 'approvals', 'models', 'mapping', 'tools', 'connections', 'policies', 'journal'], is: 'one run: prepared, executed, delegated, reported' },
  { package: 'runtime', name: 'runtime', files: ['runtime.ts'], imports: ['model', 'events', 'connections', 'execute'], is: 'what a host binds once, and runs with it' },
  { package: 'runtime', name: 'serve', files: ['serve/'], imports: ['model', 'mapping', 'connectors', 'react', 'runtime'], is: 'agents over AG-UI, A2A and MCP' },
  { package: 'runtime', name: 'config', files: ['config/'], imports: ['model', 'models'], is: 'bindings from a file' },
  { package: 'runtime', name: 'index', files: ['index.ts'], imports: ['model', 'events', 'memory', 'models', 'connectors', 'runtime', 'serve', 'config'], is: 'the public names' },
  { package: 'agentformat', name: 'model', files: ['model/'], imports: [], is: 'types, codes and positions of an agent document' },
  { package: 'agentformat', name: 'data-flow', files: ['data-flow/'], imports: ['model'], is: 'schema against schema' },
  { package: 'agentformat', name: 'conditions', files: ['conditions/'], imports: ['model'], is: 'matchers' },
  { package: 'agentformat', name: 'sources', files: ['sources/'], imports: ['model'], is: 'the files of a graph, references and cycles between them' },
  { package: 'agentformat', name: 'schema', files: ['schema/'], imports: ['model', 'data-flow'], is: 'the document schema and its evaluator' },
  { package: 'agentformat', name: 'paths', files: ['paths/'], imports: ['model', 'data-flow', 'schema'], is: 'path expressions' },
  { package: 'agentformat', name: 'policies', files: ['policies/'], imports: ['model', 'data-flow', 'schema', 'paths'], is: 'who runs, fed by what, in which order' },
  { package: 'agentformat', name: 'rules', files: ['rules/'], imports: agentGround, is: 'static checks: one question per file, one table' },
  { package: 'agentformat', name: 'entry points', files: ['parse-agent.ts', 'load-agent.ts', 'graph.ts'], imports: [...agentGround, 'rules'], is: 'one function of the SDK per file' },
  { package: 'agentformat', name: 'render', files: ['render.ts'], imports: ['model', 'entry points'], is: 'graphs as text' },
  { package: 'agentformat', name: 'index', files: ['index.ts'], imports: [...agentGround, 'rules', 'entry points', 'render'], is: 'the public names' },
]

// A library that is not listed must not be imported at all; adding one takes a record in docs/decisions.
export const libraries: readonly Library[] = [
  { name: 'js-yaml', only: 'packages/source/src/yaml/yaml.ts' },
  { name: 're2js', only: 'packages/source/src/regex/regex.ts' },
  { name: '@bufbuild/cel', only: 'packages/oatf/src/adapters/' },
  { name: '@bufbuild/protobuf', only: 'packages/oatf/src/adapters/' },
  { name: 'json-p3', only: 'packages/oatf/src/adapters/' },
  { name: '@modelcontextprotocol/client', only: 'packages/runtime/src/connectors/' },
  { name: '@modelcontextprotocol/server', only: 'packages/runtime/src/serve/' },
  { name: '@modelcontextprotocol/node', only: 'packages/runtime/src/serve/' },
  { name: '@a2a-js/sdk', only: ['packages/runtime/src/connectors/', 'packages/runtime/src/serve/'] },
  { name: '@ag-ui/core', only: 'packages/runtime/src/serve/' },
  {
    name: '@ai-sdk/provider',
    only: [
      'packages/sim/src/',
      'packages/models/src/simulated.ts',
      'packages/runtime/src/models/',
      'packages/runtime/src/model/language-model.ts',
    ],
  },
  { name: '@ai-sdk/openai', only: 'packages/runtime/src/models/providers.ts' },
  { name: '@ai-sdk/openai-compatible', only: 'packages/runtime/src/models/providers.ts' },
  { name: '@ai-sdk/anthropic', only: 'packages/runtime/src/models/providers.ts' },
  { name: '@ai-sdk/google', only: 'packages/runtime/src/models/providers.ts' },
  { name: 'eventsource-parser', only: 'packages/arena/src/transport/event-stream.ts' },
  { name: '@opentelemetry/api', only: 'packages/runtime/src/events/open-telemetry.ts' },
  { name: 'commander', only: 'packages/cli/src/' },
  { name: 'picocolors', only: 'packages/cli/src/' },
  { name: 'preact', only: ['packages/report/src/components/', 'packages/studio/src/client/'] },
  { name: '@preact/signals', only: ['packages/report/src/components/', 'packages/studio/src/client/'] },
  { name: '@codemirror/autocomplete', only: 'packages/studio/src/client/' },
  { name: '@codemirror/commands', only: 'packages/studio/src/client/' },
  { name: '@codemirror/lang-yaml', only: 'packages/studio/src/client/' },
  { name: '@codemirror/language', only: 'packages/studio/src/client/' },
  { name: '@codemirror/lint', only: 'packages/studio/src/client/' },
  { name: '@codemirror/search', only: 'packages/studio/src/client/' },
  { name: '@codemirror/state', only: 'packages/studio/src/client/' },
  { name: '@codemirror/view', only: 'packages/studio/src/client/' },
  { name: '@lezer/highlight', only: 'packages/studio/src/client/' },
  { name: 'pg', only: 'packages/fleet/src/' },
  { name: 'bullmq', only: 'packages/fleet/src/libraries.ts' },
  {
    name: 'vscode-languageserver',
    only: ['packages/cli/src/language-server/', 'packages/cli/src/commands/language-server.ts'],
  },
  { name: 'vscode-languageserver-textdocument', only: 'packages/cli/src/language-server/' },
]

const expressionLibraries = ['@bufbuild/cel', '@bufbuild/protobuf', 'json-p3']

export const lightEntries: readonly LightEntry[] = [
  { file: 'packages/oatf/src/on-demand.ts', without: expressionLibraries },
  { file: 'packages/oatf/src/explain.ts', without: expressionLibraries },
  { file: 'packages/report/src/formats.ts', without: expressionLibraries },
  { file: 'packages/report/src/findings.ts', without: expressionLibraries },
  { file: 'packages/cli/src/main.ts', without: expressionLibraries },
  { file: 'packages/cli/src/commands/validate.ts', without: expressionLibraries },
  { file: 'packages/cli/src/commands/lint.ts', without: expressionLibraries },
  { file: 'packages/cli/src/commands/fmt.ts', without: expressionLibraries },
  { file: 'packages/cli/src/commands/migrate.ts', without: expressionLibraries },
  { file: 'packages/cli/src/commands/explain.ts', without: expressionLibraries },
]
