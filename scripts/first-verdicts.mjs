/**
 * Measures two commands in five folders: `node scripts/first-verdicts.mjs`, after `node peers/init/install.mjs NAME…`
 * for the folders below. Prints the seconds that `joust init --yes` and `joust run` take until the first verdict and
 * until the end. Exits with 1 if a first verdict is missing or takes more than 60 s. `--first` ends each run after its
 * first verdict.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

const LIMIT_S = 60
const isFirstEnough = process.argv.includes('--first')
const root = join(import.meta.dirname, '..')
// The LangGraph agent is behind HTTP: its joust.yaml starts it, and `joust init` keeps that file.
const folders = ['ai-sdk', 'pydantic-ai', 'openai-agents', 'langgraph', 'crewai']
const served = join(root, 'peers/served')
const verdict = /"outcome":"(?:exploited|partial|resisted)"/

/** Runs the command. Returns its duration in seconds, the seconds until the first verdict, and its exit code. */
function joust(cwd, ...words) {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'packages/cli/bin/joust.js'), ...words], { cwd })
    let output = ''
    let first
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.resume()
    // The journal contains the outcome of each run as soon as it is known, when a terminal also shows it.
    const journal = join(cwd, 'out/journal.jsonl')
    const look = () => {
      if (existsSync(journal) && verdict.test(readFileSync(journal, 'utf8'))) first ??= seconds()
      if (first !== undefined && isFirstEnough) child.kill('SIGINT')
    }
    const timer = setInterval(look, 100)
    child.on('close', (code) => {
      clearInterval(timer)
      look()
      resolve({ code, first, end: seconds(), output })
    })
  })
}

/** Measures a copy of a folder. Returns undefined if its packages are not installed. */
async function measure(name) {
  const home = join(root, 'peers/init', name)
  const from = existsSync(join(served, name)) ? join(served, name) : home
  const link = existsSync(join(home, 'package.json')) ? 'node_modules' : '.venv'
  if (!existsSync(join(home, link))) return undefined
  const cwd = mkdtempSync(join(tmpdir(), 'joust-verdicts-'))
  cpSync(from, cwd, { recursive: true, filter: (path) => !/node_modules|\.venv|__pycache__/.test(path) })
  symlinkSync(join(home, link), join(cwd, link))
  try {
    const init = await joust(cwd, 'init', '--yes')
    const run = await joust(cwd, 'run', '--with-model', 'sim/credulous', '--out', 'out')
    return { name, init, run }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const cell = (value, width) => String(value).padStart(width)
process.stdout.write(`load before the start: ${loadavg()[0].toFixed(1)}\n`)
process.stdout.write(
  `${'folder'.padEnd(16)}${['init', 'first verdict', isFirstEnough ? 'ended' : 'whole library'].map((one) => cell(one, 15)).join('')}\n`,
)
let isGood = true
for (const name of folders) {
  const result = await measure(name)
  if (result === undefined) {
    process.stdout.write(`${name.padEnd(16)} skipped: node peers/init/install.mjs ${name}\n`)
    continue
  }
  const { init, run } = result
  const first = run.first === undefined ? undefined : init.end + run.first
  isGood &&= init.code === 0 && first !== undefined && first <= LIMIT_S
  const cells = [init.end.toFixed(1), first?.toFixed(1) ?? 'none', (init.end + run.end).toFixed(1)]
  process.stdout.write(`${name.padEnd(16)}${cells.map((one) => cell(`${one} s`, 15)).join('')}\n`)
  if (init.code !== 0 || run.first === undefined) process.stdout.write(`${init.output}${run.output}\n`)
}
process.exit(isGood ? 0 : 1)
