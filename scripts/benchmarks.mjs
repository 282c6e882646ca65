/**
 * `npm run peers:benchmarks -- --injecagent FOLDER`: imports a benchmark that was downloaded before, judges its recorded
 * outputs, runs its cases on the simulations, and writes docs/benchmarks.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const command = join(root, 'packages', 'cli', 'bin', 'joust.js')
const { values } = parseArgs({
  options: { injecagent: { type: 'string' }, simulate: { type: 'boolean', default: true } },
})
if (values.injecagent === undefined || !existsSync(values.injecagent)) {
  console.error('missing --injecagent FOLDER: a copy of the repository xInjectAgent')
  process.exit(64)
}

const work = mkdtempSync(join(tmpdir(), 'joust-benchmarks-'))
try {
  writeFileSync(join(root, 'docs', 'benchmarks.md'), page(injecagent(values.injecagent)))
} finally {
  rmSync(work, { recursive: true })
}

/** The section on InjecAgent. */
function injecagent(folder) {
  const out = join(work, 'injecagent')
  const sets = ['base', 'enhanced', 'test']
  const summary = JSON.parse(
    joust('import', 'injecagent', folder, '--results', '--set', ...sets, '--json', '--out', out),
  )
  const recorded = join(work, 'recorded')
  joust('evaluate', join(out, 'documents'), '--trace', join(out, 'traces'), '--out', recorded)
  const { agree, differ } = agreement(join(recorded, 'results.json'), join(out, 'labels.json'))
  const simulated = ['sim/credulous', 'sim/cautious'].map((model) => simulate(model, join(out, 'documents')))
  const left = Object.values(summary.skipped).reduce((sum, count) => sum + count, 0)
  return [
    '## InjecAgent',
    '',
    `${summary.documents} documents from the sets base, enhanced and test, ${summary.faults.length} without an equivalent.`,
    '',
    '### Recorded outputs of real models',
    '',
    `xInjectAgent holds ${summary.traces + left} outputs of six models with a verdict each. It calls ${left} of them invalid;`,
    `they are left out. The other ${summary.traces} were judged again by the documents: ${agree} verdicts agree, ${differ.length} differ.`,
    ...differ.map((line) => `- ${line}`),
    '',
    joust('report', recorded, '--as', 'injecagent').trim(),
    '',
    '### Simulations',
    '',
    joust('report', ...simulated, '--as', 'injecagent').trim(),
  ]
}

/** Runs the base set on a simulation; returns the folder of the results. */
function simulate(model, documents) {
  const folder = join(work, model.replace('/', '-'))
  joust(
    'run',
    join(documents, '*-base-*.yaml'),
    '--model',
    model,
    '--arms',
    'none',
    '--report',
    'json',
    '--out',
    folder,
    '-q',
  )
  return folder
}

/** Compares outcomes with the labels of the benchmark. */
function agreement(results, labels) {
  const expected = JSON.parse(readFileSync(labels, 'utf8'))
  const trials = JSON.parse(readFileSync(results, 'utf8')).targets.flatMap(({ attacks }) =>
    attacks.flatMap((attack) =>
      attack.trials.map((trial) => ({ name: trial.trace.replace(/\.jsonl$/, ''), ...trial })),
    ),
  )
  const differ = trials.filter(({ name, outcome }) => expected[name] !== outcome)
  return {
    agree: trials.length - differ.length,
    differ: differ.map(
      ({ name, outcome, reasons }) => `${name}: ${outcome}, not ${expected[name]} (${reasons.join('; ')})`,
    ),
  }
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

function page(sections) {
  return [
    '# Benchmarks',
    '',
    'Public benchmarks that `joust import` converts, with their results. `npm run peers:benchmarks` writes this page from data',
    'that is not part of the repository.',
    '',
    ...sections,
    '',
  ].join('\n')
}
