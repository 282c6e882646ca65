/** Leases runs to a worker, round-robin over the targets that it can attack. */
import { randomUUID } from 'node:crypto'
import { messageOf } from '@joust/source'
import type { RunKey } from '@joust/trials'
import type { Database } from './database.ts'
import type { Bull } from './libraries.ts'
import { fleetLimits } from './limits.ts'
import { type PendingTarget, queueName } from './pending-targets.ts'

export interface QueueOptions {
  /** Returns the pending targets that this worker can attack. Called repeatedly. @default no targets */
  readonly pending?: () => Promise<readonly PendingTarget[]>
  /** Milliseconds until a lease expires. @default 30_000 */
  readonly leaseMs?: number
  /** Called with messages about transient errors. */
  readonly tell?: (message: string) => void
}

export interface Leases {
  /** Leases the next run, or returns undefined if no run is available now. */
  next(): Promise<Lease | undefined>
  /** True if no target is pending for this worker. */
  isEmpty(): boolean
  close(): Promise<void>
}

/** A run leased to this worker. The lease is renewed until `done` or `release` is called or the process exits. */
interface Lease {
  readonly run: RunKey
  readonly target: PendingTarget
  /** Number of leases of the run, including this one. */
  readonly tries: number
  done(): Promise<void>
  release(): Promise<void>
}

type BullWorker = InstanceType<Bull['Worker']>
type Job = NonNullable<Awaited<ReturnType<BullWorker['getNextJob']>>>

export function openLeases(bull: Bull, database: Database, options: QueueOptions): Leases {
  const { leaseMs = fleetLimits.leaseMs, tell = () => {}, pending = async () => [] } = options
  const workers = openBullWorkers(bull, database, leaseMs)
  const jobs = new Map<string, Job>()
  let turn = 0
  let searches = 0
  const renewing = setInterval(() => {
    // A lease that cannot be renewed expires; the ledger then keeps the first result.
    for (const [token, job] of jobs) job.extendLock(token, leaseMs).catch(() => {})
  }, leaseMs / 3)
  const targets = pollTargets(async () => {
    const current = await pending()
    // A concurrent search in this process may have just leased a run.
    const queueNames = [...current.map(queueName), ...[...jobs.values()].map((job) => job.queueName)]
    if (searches <= 1) await workers.closeOthers(new Set(queueNames))
    return current
  }, database.isSettling)
  const take = async (target: PendingTarget): Promise<Lease | undefined> => {
    const token = randomUUID()
    const worker = await workers.of(queueName(target))
    const job = await worker.getNextJob(token, { block: false })
    if (job === undefined) return undefined
    jobs.set(token, job)
    const settle = async (move: () => Promise<unknown>) => {
      jobs.delete(token)
      // Once the lease has expired, another worker has the run. The ledger keeps the first result.
      await database.retry(move).catch((thrown: unknown) => tell(`a lease expired: ${messageOf(thrown)}`))
    }
    return {
      // These queues contain only runs.
      run: job.data as RunKey,
      target,
      tries: job.attemptsStarted,
      done: () => settle(() => job.moveToCompleted('', token, false)),
      release: () => settle(() => job.moveToWait(token)),
    }
  }
  return {
    async next() {
      searches += 1
      try {
        const current = await targets.now()
        for (let index = 0; index < current.length; index++) {
          const target = current[(turn + index) % current.length]
          const lease = target === undefined || target.isHeld ? undefined : await take(target)
          if (lease === undefined) continue
          turn += index + 1
          return lease
        }
      } catch (thrown) {
        database.reportFault(thrown)
      } finally {
        searches -= 1
      }
      return undefined
    },
    isEmpty: targets.isEmpty,
    async close() {
      clearInterval(renewing)
      await workers.closeOthers(new Set())
    },
  }
}

/** Caches the pending targets briefly. All callers wait for the first read. A later read delays only its caller. */
function pollTargets(read: () => Promise<readonly PendingTarget[]>, isSettling: () => boolean) {
  let targets: readonly PendingTarget[] | undefined
  let reading: Promise<void> | undefined
  let lastRead = 0
  const readAgain = async () => {
    try {
      targets = await read()
    } finally {
      reading = undefined
    }
  }
  const refresh = async () => {
    if (targets !== undefined && Date.now() - lastRead < fleetLimits.refreshMs) return
    if (reading !== undefined) return targets === undefined ? reading : undefined
    lastRead = Date.now()
    reading = readAgain()
    await reading
  }
  return {
    async now() {
      await refresh()
      // Other workers may have finished runs that they could not record. Those must not be leased again.
      return isSettling() ? [] : (targets ?? [])
    },
    isEmpty: () => targets?.length === 0,
  }
}

function openBullWorkers(bull: Bull, database: Database, leaseMs: number) {
  const workers = new Map<string, BullWorker>()
  const connection = { connectionString: database.url, migrate: true, max: 1 }
  // BullMQ must not abandon the runs of a lost worker, because `fleetLimits.tries` decides that.
  const stalled = { lockDuration: leaseMs, stalledInterval: Math.round(leaseMs / 3), maxStalledCount: 1_000_000 }
  return {
    async of(name: string): Promise<BullWorker> {
      const existing = workers.get(name)
      if (existing !== undefined) return existing
      const worker = new bull.Worker(name, null, { connection, autorun: false, ...stalled })
      worker.on('error', database.reportFault)
      workers.set(name, worker)
      await worker.startStalledCheckTimer()
      return worker
    },
    async closeOthers(names: ReadonlySet<string>): Promise<void> {
      const unused = [...workers].filter(([name]) => !names.has(name))
      for (const [name] of unused) workers.delete(name)
      await Promise.allSettled(unused.map(([, worker]) => worker.close(true)))
    },
  }
}
