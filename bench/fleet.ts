/** Measures a campaign on this machine: how it scales with workers, and the cost of the queue and the ledger. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { openFleet } from '@joust/fleet'
import type { Redacted, TraceEntry } from '@joust/results'
import { lostTrial, type RunKey } from '@joust/trials'
import type * as Campaigns from '../packages/fleet/src/campaigns.ts'
import type * as Databases from '../packages/fleet/src/database.ts'
import type * as Ledgers from '../packages/fleet/src/ledger.ts'
import type * as Pending from '../packages/fleet/src/pending-targets.ts'
import type * as Queues from '../packages/fleet/src/queue.ts'
import type * as Servers from '../scripts/postgres.ts'

/** Measurements in seconds. */
interface FleetFigures {
  readonly widths: readonly { readonly workers: number; readonly rate: number; readonly cpu: number }[]
  /** CPU time of the queue and the ledger for a run that costs nothing. */
  readonly client: number
  readonly server: number
  /** Time to count 10,000 runs by outcome. */
  readonly counting: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const command = join(root, 'packages/cli/bin/joust.js')
const MODEL_MS = 300
const RUNS = 24
const BOOKED = 400
const TICKS = 100
/** Messages per trace: about 22 KB, like half of the library's traces. */
const ENTRIES = 40

/** Measures everything. Returns undefined without PostgreSQL. */
export async function benchFleet(): Promise<FleetFigures | undefined> {
  const { findPostgres, startPostgres } = (await import(
    pathToFileURL(join(root, 'scripts/dist/postgres.js')).href
  )) as typeof Servers
  const programs = findPostgres()
  if (programs === undefined) return undefined
  const server = await startPostgres(programs)
  const model = await slowModel()
  try {
    const widths = []
    for (const workers of [1, 2, 4])
      widths.push(await measureWidth(server.database(`width${workers}`), workers, model.url))
    return { widths, ...(await measureBooks(server)), counting: await measureCounting(server.database('many')) }
  } finally {
    model.server.close()
    server.remove()
  }
}

async function measureWidth(url: string, workers: number, model: string) {
  const env = { ...process.env, OPENAI_COMPATIBLE_BASE_URL: model }
  const crew = Array.from({ length: workers }, () => startWorker(url, env))
  const fleet = await openFleet(url)
  try {
    await Promise.all(crew.map(({ ready }) => ready))
    const cpuOfCrew = () => crew.reduce((sum, { child }) => sum + cpuOf(child.pid ?? 0), 0)
    const bounds = [
      '--trials',
      String(RUNS * workers),
      '--in-process',
      '--observe',
      '0',
      '--grace',
      '0',
      '--quiet',
      '--detach',
    ]
    const args = ['run', 'library/artifact-poisoning.oatf.yaml', '--model', 'openai-compatible/slow', ...bounds]
    const { status, stderr } = spawnSync(process.execPath, [command, ...args, '--queue', url, '--name', 'bench'], {
      cwd: root,
      env,
    })
    if (status !== 0) throw new Error(stderr.toString())
    // The first runs of each worker load what later ones reuse.
    const warm = 2 * workers
    const all = RUNS * workers
    let begun: { readonly done: number; readonly cpu: number } | undefined
    for (let open = all; open > 0; await new Promise((resolve) => setTimeout(resolve, 200))) {
      open = (await fleet.status('bench'))?.open ?? 0
      if (all - open >= warm) begun ??= { done: all - open, cpu: cpuOfCrew() }
    }
    const cpu = (cpuOfCrew() - (begun?.cpu ?? 0)) / (all - (begun?.done ?? 0))
    const times = (await fleet.select('bench', {})).map(({ finished }) => Date.parse(finished)).sort((a, b) => a - b)
    const seconds = ((times.at(-1) ?? 0) - (times[warm - 1] ?? 0)) / 1000
    return { workers, rate: (times.length - warm) / seconds, cpu }
  } finally {
    for (const { child } of crew) child.kill('SIGKILL')
    await fleet.close()
  }
}

function startWorker(url: string, env: NodeJS.ProcessEnv): { child: ChildProcess; ready: Promise<void> } {
  const child = spawn(process.execPath, [command, 'worker', '--queue', url, '--concurrency', '1'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { child, ready: new Promise((resolve) => child.stderr.once('data', () => resolve())) }
}

/** Returns the CPU seconds of a process and its exited children, or 0 where the system does not report them. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS
  } catch {
    return 0
  }
}

/**
 * Measures the queue and the ledger alone, with runs that cost nothing but have a trace. Both are internal, so they are
 * imported by file.
 */
async function measureBooks(server: Servers.Postgres): Promise<{ client: number; server: number }> {
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(root, 'packages/fleet/dist', file)).href)
  // The compiler emitted each file from the module in its type.
  const { openDatabase } = (await load('database.js')) as typeof Databases
  const { insertCampaign, takeLease } = (await load('campaigns.js')) as typeof Campaigns
  const { createPostgresLedger } = (await load('ledger.js')) as typeof Ledgers
  const { createFleetQueue } = (await load('queue.js')) as typeof Queues
  const { readPending } = (await load('pending-targets.js')) as typeof Pending
  const database = await openDatabase(server.database('books'))
  const about = { kind: 'model', name: 'none' } as const
  await insertCampaign(database, {
    name: 'c',
    plan: { trials: BOOKED },
    targets: [{ name: 't', about, setup: {} }],
    attacks: [],
  })
  const ledger = createPostgresLedger(database, 'c')
  const queue = await createFleetQueue(database, { pending: async () => (await readPending(database)).targets })
  const runs = Array.from(
    { length: BOOKED },
    (_, index): RunKey => ({
      campaign: 'c',
      target: 't',
      file: 'f',
      arm: 'attack',
      trial: index + 1,
      fingerprint: 'x',
    }),
  )
  const before = { client: process.cpuUsage(), server: cpuOf(server.pid()) }
  await queue.add(await ledger.submit(runs))
  const perform = async (run: RunKey) => {
    await takeLease(database, run, 'bench', 30_000)
    const trace = ledger.openTrace(run)
    for (let seq = 1; seq <= ENTRIES; seq++) trace?.writer.write(entryOf(seq))
    await ledger.finish(run, lostTrial(run.trial, 'nothing was run'))
  }
  for await (const _ of queue.take(perform, { room: 4, signal: new AbortController().signal, drain: true }));
  const { user, system } = process.cpuUsage(before.client)
  await database.close()
  // PostgreSQL reports the CPU time of a connection only once its server process has exited.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return { client: (user + system) / 1e6 / BOOKED, server: (cpuOf(server.pid()) - before.server) / BOOKED }
}

function entryOf(seq: number): Redacted<TraceEntry> {
  const content = { name: 'search', arguments: { query: `${seq} ${String(seq * 7919).repeat(60)}` } }
  const when = { at: new Date(seq).toISOString(), elapsed_ms: seq }
  const who = { actor: 'server', mode: 'mcp_server', protocol: 'mcp', phase: 'serving' }
  const entry: TraceEntry = {
    seq,
    ...when,
    ...who,
    direction: 'request',
    flow: 'in',
    surface: 'tools/call',
    content,
  }
  // The entry contains no secret.
  return entry as Redacted<TraceEntry>
}

async function measureCounting(url: string): Promise<number> {
  const { openDatabase } = (await import(
    pathToFileURL(join(root, 'packages/fleet/dist/database.js')).href
  )) as typeof Databases
  const { createPostgresLedger } = (await import(
    pathToFileURL(join(root, 'packages/fleet/dist/ledger.js')).href
  )) as typeof Ledgers
  const database = await openDatabase(url)
  await database.pool.query(`insert into joust.campaign (name, plan) values ('c', '{"trials": 10000}')`)
  await database.pool.query(
    `insert into joust.run (campaign, target, file, arm, trial, fingerprint, outcome, finished, result)
     select 'c', 't', 'f', 'attack', n, 'x', case when n % 7 = 0 then 'exploited' else 'resisted' end, now(), $1::jsonb
     from generate_series(1, 10000) n`,
    [JSON.stringify({ ...lostTrial(1, 'x'), answer: 'a'.repeat(1500) })],
  )
  await database.pool.query('vacuum analyze joust.run')
  const ledger = createPostgresLedger(database, 'c')
  await ledger.progress()
  const started = performance.now()
  for (let times = 0; times < 5; times++) await ledger.progress()
  const seconds = (performance.now() - started) / 5000
  await database.close()
  return seconds
}

/** Starts a model that speaks OpenAI's chat completions, waits for a while and then declines. */
async function slowModel(): Promise<{ readonly server: Server; readonly url: string }> {
  const message = { role: 'assistant', content: 'I will not do that.' }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () =>
      setTimeout(() => {
        const shared = { id: 'x', created: 1, model: 'slow' }
        if (!body.includes('"stream":true')) {
          const choices = [{ index: 0, message, finish_reason: 'stop' }]
          response.setHeader('content-type', 'application/json')
          return response.end(JSON.stringify({ ...shared, object: 'chat.completion', choices, usage }))
        }
        const choices = [{ index: 0, delta: message, finish_reason: 'stop' }]
        response.setHeader('content-type', 'text/event-stream')
        const chunk = JSON.stringify({ ...shared, object: 'chat.completion.chunk', choices, usage })
        return response.end(`data: ${chunk}\n\ndata: [DONE]\n\n`)
      }, MODEL_MS),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { server, url: `http://127.0.0.1:${port}/v1` }
}
