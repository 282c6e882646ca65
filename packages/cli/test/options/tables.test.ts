import { arenaLimits } from '@joust/arena'
import { trialLimits } from '@joust/trials'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { fleetLimits } from '../../../fleet/src/limits.ts'
import { workerOptions } from '../../src/options/fleet.ts'
import type { OptionTable } from '../../src/options/option.ts'
import { preflightOptions } from '../../src/options/preflight.ts'
import { type GivenOptions, readOptions } from '../../src/options/read.ts'
import { runOptions } from '../../src/options/run.ts'
import { addCommand, type CommandRow } from '../../src/program/command.ts'
import { commands } from '../../src/program.ts'
import { folder, joust, memoryIo } from '../world.ts'

/** Every option of every command: a good value, what the command gets, a bad value, and what must be given as well. */
type Rows = { readonly [key: string]: readonly [good: string, value: unknown, bad: string, ...beside: string[]] }

const SWITCH = ['', true, 'yes'] as const
const FILE = ['x.yaml', 'x.yaml', ''] as const
const AGENT = ['--agent', 'a']
const input = ['--input', '1']

const choice: Rows = {
  tag: ['one', ['one'], ''],
  severity: ['high', 'high', 'hihg'],
  category: ['oversight_bypass', ['oversight_bypass'], 'one'],
  protocol: ['a2a', ['a2a'], 'agui'],
  framework: ['atlas', ['atlas'], ''],
  id: ['A-1', ['A-1'], ''],
  grep: ['a|b', ['a|b'], '('],
  strict: SWITCH,
}

const check: Rows = { format: ['sarif', 'sarif', 'pdf'], quiet: SWITCH, strict: SWITCH }

const binding = (...beside: string[]): Rows => ({
  model: ['sim/silent', 'sim/silent', '', ...beside],
  script: [...FILE, ...beside],
  approve: ['all', 'all', '', ...beside],
  memory: ['ada', 'ada', '', ...beside],
  modelTimeout: ['30s', 30_000, 'x', ...beside],
  toolTimeout: ['30s', 30_000, 'x', ...beside],
  connectTimeout: ['30s', 30_000, 'x', ...beside],
  retries: ['0', 0, '-1', ...beside],
  batchWidth: ['2', 2, '0', ...beside],
  limit: ['a=1', { a: '1' }, 'a', ...beside],
  events: [...FILE, ...beside],
  envFile: [...FILE, ...beside],
  root: ['x', 'x', '', ...beside],
  config: [...FILE, ...beside],
  quiet: [...SWITCH, ...beside],
})

const queue = ['--queue', 'postgres://a/b']
const URL = ['postgres://a/b', 'postgres://a/b', ''] as const
const look = (): Rows => ({ queue: URL, json: [...SWITCH, ...queue] })

const attack: Rows = {
  agent: FILE,
  model: ['sim/silent', 'sim/silent', ''],
  target: ['a2a=http://127.0.0.1/', { a2a: 'http://127.0.0.1/' }, 'a2a=nowhere'],
  exec: ['agent {prompt}', 'agent {prompt}', ''],
  acp: ['agent --acp', 'agent --acp', ''],
  execNext: ['agent --more', 'agent --more', '', '--exec', 'a'],
  execModel: ['gpt-5', 'gpt-5', '', '--exec', 'a'],
  jsonLines: [...SWITCH, '--exec', 'a'],
  answerPath: ['result.text', 'result.text', '', '--exec', 'a'],
  carries: ['history, parts', ['history', 'parts'], 'tools', '--exec', 'a', '--json-lines'],
  paste: ['context, state', ['context', 'state'], 'tools', '--exec', 'a'],
  passEnv: ['TOKEN', ['TOKEN'], '', '--exec', 'a'],
  mcpStdio: [...SWITCH, '--exec', 'a'],
  modelEnv: ['OPENAI_BASE_URL', ['OPENAI_BASE_URL'], '', '--exec', 'a'],
  modelUpstream: ['http://127.0.0.1:1/v1', 'http://127.0.0.1:1/v1', '', '--exec', 'a'],
  modelListen: ['127.0.0.1:7001', { host: '127.0.0.1', port: 7001 }, 'x', '--target', 'a2a=http://a/'],
  noModelProxy: [...SWITCH, '--exec', 'a'],
  withModel: ['sim/credulous', 'sim/credulous', '', '--exec', 'a'],
  ownTools: [...SWITCH, '--exec', 'a', '--with-model', 'sim/credulous'],
  useHome: [...SWITCH, '--exec', 'a'],
  wire: ['a=b', { a: 'b' }, 'a'],
  bind: ['a=b', { a: 'b' }, '=b', ...AGENT],
  listen: ['a=[::1]:70', { a: { host: '::1', port: 70 } }, 'a=127.0.0.1:70000'],
  listenToken: ['abc', 'abc', '', '--listen', 'a=70'],
  gateway: ['[::1]:70', { host: '::1', port: 70 }, '127.0.0.1:0', '--target', 'a2a=http://a/'],
  gatewayHeader: ['X-Thread', 'x-thread', 'a b', '--gateway', '70', '--target', 'a2a=http://a/'],
  header: ['X-Key: b=c', { 'x-key': 'b=c' }, 'key', '--target', 'a2a=http://a/'],
  token: ['abc', 'abc', '', '--target', 'a2a=http://a/'],
  prompt: ['hello', 'hello', '', '--exec', 'a'],
  approve: ['all', 'all', '', ...AGENT],
  through: ['mcp.json', 'mcp.json', '', '--exec', 'a'],
  allowCall: ['send_email', ['send_email'], '', '--exec', 'a', '--through', 'mcp.json'],
  answers: ['session.yaml', 'session.yaml', '', '--exec', 'a', '--through', 'mcp.json'],
  mcpVersion: ['2025-06-18', '2025-06-18', '', '--exec', 'a'],
  noPreflight: [...SWITCH, '--exec', 'a'],
  channels: ['state, prompt', ['state', 'prompt'], 'mind', '--exec', 'a'],
  price: ['1.25, 10', { input: 1.25, output: 10 }, 'cheap', ...AGENT],
  inProcess: [...SWITCH, ...AGENT],
  config: [...FILE, '--model', 'sim/silent'],
  on: ['a', ['a'], ''],
  script: [...FILE, ...AGENT],
  allowHost: ['example.org', ['example.org'], ''],
  ...choice,
  mutate: ['urgent', ['urgent'], ''],
  attacker: ['sim/attacker', 'sim/attacker', ''],
  trials: ['auto', 'auto', '0'],
  maxTrials: ['9', 9, '0', '--trials', 'auto'],
  decide: ['asr<5%', 0.05, 'asr<0%', '--trials', 'auto'],
  arms: ['placebo', 'placebo', 'leg'],
  concurrency: ['2', 2, 'many'],
  maxDuration: ['90s', 90_000, 'soon'],
  replyTimeout: ['2m', 120_000, 'soon'],
  grace: ['0', 0, '-1s'],
  observe: ['0', 0, '-1s'],
  budgetTokens: ['5', 5, '1e3', '--judge', 'x'],
  budgetCalls: ['5', 5, '1.5', ...AGENT],
  budgetTime: ['500ms', 500, '500'],
  retries: ['2', 2, '-1'],
  maxErrors: ['0', 0, '-1'],
  out: ['here', 'here', ''],
  resume: ['here', 'here', ''],
  report: ['md, html,md', ['md', 'html'], 'md,pdf'],
  redact: ['a+', ['a+'], '('],
  showSecrets: SWITCH,
  baseline: FILE,
  forceBaseline: [...SWITCH, '--baseline', 'a'],
  failOn: ['local_action', 'local_action', 'monday'],
  allowUnproven: SWITCH,
  judge: ['sim/silent', 'sim/silent', ''],
  record: ['here', 'here', '', ...AGENT],
  replay: ['here', 'here', '', ...AGENT],
  dryRun: SWITCH,
  json: SWITCH,
  quiet: SWITCH,
  verbose: SWITCH,
  watch: SWITCH,
  queue: URL,
  name: ['nightly', 'nightly', '', ...queue],
  detach: [...SWITCH, ...queue],
}

/** The options that a search does not have. */
const notInSearch = [
  'baseline',
  'forceBaseline',
  'failOn',
  'maxErrors',
  'maxTrials',
  'decide',
  'arms',
  'resume',
  'dryRun',
  'mutate',
  'attacker',
  'queue',
  'name',
  'detach',
  'watch',
]

const search: Rows = Object.fromEntries(
  Object.entries(attack)
    .filter(([key]) => !notInSearch.includes(key))
    .map(([key, row]) => [key, [...row, '--attacker', 'sim/attacker']] as const),
)

/** The options that hardening has: those that concern an agent file. */
const inHarden = [
  ...['model', 'script', 'bind', 'prompt', 'approve', 'mcpVersion', 'inProcess', 'config', 'allowHost'],
  ...Object.keys(choice),
  ...['noPreflight', 'price', 'verbose'],
  ...[
    'trials',
    'concurrency',
    'maxDuration',
    'replyTimeout',
    'observe',
    'grace',
    'budgetTokens',
    'budgetCalls',
    'budgetTime',
    'retries',
  ],
  ...['out', 'report', 'redact', 'showSecrets', 'allowUnproven', 'judge', 'json', 'quiet'],
]

const harden: Rows = Object.fromEntries(
  Object.entries(attack)
    .filter(([key]) => inHarden.includes(key))
    .map(([key, [good, value, bad]]) => [key, [good, value, bad, '--against', 'x']] as const),
)

/** The options of a preflight: those of a target, and some of the output. */
const preflight: Rows = Object.fromEntries(
  Object.entries(attack).filter(([key]) => Object.hasOwn(preflightOptions, key)),
)

const table: { readonly [command: string]: Rows } = {
  run: attack,
  preflight,
  'campaign list': look(),
  'campaign status': look(),
  'campaign watch': look(),
  'campaign cancel': { queue: URL },
  'campaign delete': { queue: URL, tracesOlderThan: ['500ms', 500, 'old', ...queue] },
  'campaign results': {
    ...look(),
    out: ['here', 'here', '', ...queue],
    outcome: ['exploited,partial', ['exploited', 'partial'], 'bad', ...queue],
    severity: ['high', ['high'], 'hihg', ...queue],
    since: ['2h', 7_200_000, 'monday', ...queue],
  },
  worker: {
    queue: URL,
    concurrency: ['2', 2, '0', ...queue],
    allowExec: [...SWITCH, ...queue],
    name: ['w', 'w', '', ...queue],
    drain: [...SWITCH, ...queue],
    lease: ['5s', 5000, '5', ...queue],
    quiet: [...SWITCH, ...queue],
  },
  aim: {
    mcpConfig: ['a.json', ['a.json'], ''],
    tools: ['a.json', ['a.json'], ''],
    on: ['x', ['x'], ''],
    config: ['here', 'here', ''],
    yes: SWITCH,
    call: ['x', ['x'], ''],
    flows: SWITCH,
    format: ['html', 'html', 'pdf', '--flows'],
    label: ['a/b=sink', { 'a/b': 'sink' }, 'a/b'],
    by: ['sim/x', 'sim/x', ''],
    technique: ['rug-pull', ['rug-pull'], 'rug'],
    max: ['3', 3, '0'],
    out: ['here', 'here', ''],
    json: SWITCH,
    quiet: SWITCH,
  },
  mutate: {
    by: ['urgent', ['urgent'], ''],
    baits: FILE,
    placebos: FILE,
    max: ['3', 3, '0'],
    out: ['here', 'here', '', '--by', 'urgent'],
    list: SWITCH,
    json: [...SWITCH, '--list'],
  },
  harden: {
    ...harden,
    against: ['x', ['x'], ''],
    by: ['approval', ['approval'], '', '--against', 'x'],
    confirm: ['2', 2, '0', '--against', 'x'],
    write: [...SWITCH, '--against', 'x'],
  },
  search: {
    ...search,
    attacker: ['sim/attacker', 'sim/attacker', ''],
    rounds: ['3', 3, '0', '--attacker', 'a/b'],
    branches: ['3', 3, 'x', '--attacker', 'a/b'],
    turns: ['3', 3, 'x', '--attacker', 'a/b'],
    until: ['local_action', 'local_action', 'far', '--attacker', 'a/b'],
    confirm: ['2', 2, '0', '--attacker', 'a/b'],
    shorten: ['0', 0, '-1', '--attacker', 'a/b'],
  },
  init: { yes: SWITCH },
  report: {
    format: ['html,junit', ['html', 'junit'], 'pdf'],
    out: ['here', 'here', ''],
    as: ['injecagent', 'injecagent', 'injec'],
    redact: ['a+', ['a+'], '['],
  },
  import: {
    out: ['here', 'here', ''],
    set: ['base', ['base'], ''],
    script: SWITCH,
    results: SWITCH,
    json: SWITCH,
  },
  diff: { failOn: ['regression', 'regression', 'regresion'], force: SWITCH, json: SWITCH },
  coverage: { framework: ['atlas', ['atlas'], ''], json: SWITCH },
  prove: { json: SWITCH, quiet: SWITCH, strict: SWITCH },
  'library list': { ...choice, json: SWITCH },
  'library show': {},
  'presets list': { json: SWITCH },
  'presets show': {},
  validate: check,
  lint: {
    rules: FILE,
    format: ['github', 'github', 'txt'],
    maxWarnings: ['0', 0, 'few'],
    quiet: SWITCH,
    strict: SWITCH,
  },
  fmt: { write: SWITCH, check: SWITCH, canonical: SWITCH, dropComments: [...SWITCH, '--write', '--canonical'] },
  migrate: { write: SWITCH, check: SWITCH },
  explain: {},
  studio: { port: ['8080', 8080, '70000'], queue: URL, noOpen: SWITCH },
  'language-server': { stdio: SWITCH },
  evaluate: {
    trace: FILE,
    message: FILE,
    judge: ['sim/silent', 'sim/silent', '', '--trace', 'x'],
    out: ['here', 'here', '', '--trace', 'x'],
    json: SWITCH,
    strict: SWITCH,
  },
  record: {
    on: ['desk', 'desk', ''],
    config: [...FILE, '--on', 'desk'],
    mcpConfig: FILE,
    a2a: ['desk=http://127.0.0.1:1', { desk: 'http://127.0.0.1:1' }, 'desk'],
    target: ['ag_ui=http://127.0.0.1:1', { ag_ui: 'http://127.0.0.1:1' }, 'agui=x'],
    token: ['crm=secret', { crm: 'secret' }, 'crm'],
    out: ['here', 'here', ''],
    watch: ['library', ['library'], ''],
    modelEnv: ['NAME', ['NAME'], ''],
    modelUpstream: ['http://127.0.0.1:1', 'http://127.0.0.1:1', ''],
    noModelProxy: SWITCH,
    redact: ['a+', ['a+'], '['],
    quiet: SWITCH,
  },
  'model serve': {
    model: ['sim/silent', 'sim/silent', ''],
    upstream: ['http://127.0.0.1:1', 'http://127.0.0.1:1', ''],
    replay: FILE,
    record: FILE,
    port: ['8080', 8080, '70000'],
    tool: ['send_*', ['send_*'], ''],
    ownTools: SWITCH,
    quiet: SWITCH,
  },
  'agent check': { ...check, config: FILE },
  'agent run': {
    input: ['{"a": 1}', '{"a": 1}', ''],
    stream: [...SWITCH, ...input],
    watch: [...SWITCH, ...input],
    journal: [...FILE, ...input],
    ...binding(...input),
    json: [...SWITCH, ...input],
  },
  'agent new': { shape: ['loop', 'loop', 'chain'] },
  'agent chat': { resume: FILE, ...binding() },
  'agent serve': {
    agUi: SWITCH,
    a2a: SWITCH,
    mcp: SWITCH,
    stdio: [...SWITCH, '--mcp'],
    port: ['0', 0, '65536'],
    host: ['::1', '::1', ''],
    token: ['abc', 'abc', ''],
    ...binding(),
    approvalTimeout: ['30s', 30_000, 'x'],
  },
  'agent graph': { format: ['mermaid', 'mermaid', 'png'] },
  conformance: {},
  demo: {},
  completion: {},
}

const all = new Map<string, CommandRow>(
  commands.flatMap((row) =>
    'commands' in row
      ? row.commands.map((one) => [`${row.name} ${one.name}`, one] as const)
      : [[row.name, row] as const],
  ),
)

test('every option of every command is in the table', () => {
  const keys = (rows: OptionTable | Rows) => Object.keys(rows).sort()
  expect([...all].map(([name, { options }]) => [name, keys(options)]).sort()).toEqual(
    Object.entries(table)
      .map(([name, rows]) => [name, keys(rows)])
      .sort(),
  )
})

test.each([...all])('%s: options refer only to existing options', (_, { options }) => {
  for (const row of Object.values(options)) {
    const others = [...(row.needs ?? []), ...(row.conflicts ?? [])]
    expect(Object.keys(options)).toEqual(expect.arrayContaining('alsoWith' in row ? [...others, row.alsoWith] : others))
  }
})

describe.each(Object.entries(table).filter(([, rows]) => Object.keys(rows).length > 0))('%s', (name, rows) => {
  test.each(Object.entries(rows))('%s', async (key, [good, value, bad, ...beside]) => {
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const argv = good === '' ? [flag, ...beside] : [flag, good, ...beside]
    const read = await optionsFrom(name, argv)
    expect(read).toEqual({ ok: true, value: expect.objectContaining({ [key]: value }) })

    const help = await joust([...name.split(' '), '--help'])
    expect(help.stdout).toMatch(new RegExp(`^ +(-\\w, )?${flag}( <|  |$)`, 'm'))

    const refused = await joust([...name.split(' '), ...places(name), `${flag}=${bad}`, ...beside], { cwd: folder() })
    expect(refused).toMatchObject({ code: 64, stdout: '' })
    expect(refused.stderr).toMatch(good === '' ? `unknown option '${flag}=…'` : new RegExp(`^joust: ${flag} `, 'm'))
  })
})

/** The arguments that a command requires. */
function places(name: string): string[] {
  return Object.values(all.get(name)?.arguments ?? {}).flatMap(({ count }) => (count === 'optional' ? [] : ['a']))
}

/** The options that a command would get. */
async function optionsFrom(name: string, argv: readonly string[]) {
  const row = all.get(name)
  if (row === undefined) throw new Error(`there is no command ${name}`)
  let found: GivenOptions = {}
  const start: CommandRow['start'] = async (_, given) => {
    found = given
    return 0
  }
  const program = new Command().exitOverride()
  addCommand(program, { ...row, start }, memoryIo().io, () => undefined)
  // Arguments come first, because an option that takes several values would swallow them.
  await program.parseAsync([row.name, ...places(name), ...argv], { from: 'user' })
  return readOptions(row.options, found)
}

// The tables of options do not load the engines, which would slow down every command.
test('defaults in help texts equal those of the engines', () => {
  const { observeAnsweringMs, observeMs } = arenaLimits
  expect(runOptions.concurrency.help).toContain(`${trialLimits.concurrency} by default`)
  expect(runOptions.observe.help).toContain(`${observeAnsweringMs / 1000}s if the document answers such requests`)
  expect(runOptions.observe.help).toContain(`otherwise ${observeMs}ms`)
  expect(workerOptions.lease.help).toContain(`${fleetLimits.leaseMs / 1000}s by default`)
})
