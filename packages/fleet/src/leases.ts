/** Where a worker gets its runs: the queues of all targets that it can attack, in turn, each run on a lease. */
import { randomUUID } from 'node:crypto'
import type { RunKey } from '@joust/arena'
import { messageOf } from '@joust/source'
import type { Database } from './database.ts'
import type { Bull } from './libraries.ts'
import { fleetLimits } from './limits.ts'
import { type PendingTarget, queueName } from './pending-targets.ts'

/** How runs are taken. */
export interface QueueOptions {
  /** What this worker may take from, asked repeatedly; without it there is nothing to take. */
  readonly pending?: () => Promise<readonly PendingTarget[]>
  readonly leaseMs?: number
  readonly tell?: (message: string) => void
}

/** Gives a worker its leases. */
export interface Leases {
  /** The next run; undefined when there is none at the moment. */
  next(): Promise<Lease | undefined>
  /** Whether there is nothing left that this worker could do, now or later. */
  isEmpty(): boolean
  close(): Promise<void>
}

/** A run that this worker has. It is kept as long as this process lives, or until one of the two is called. */
interface Lease {
  readonly run: RunKey
  readonly target: PendingTarget
  /** How often the run was handed out, including this time. */
  readonly tries: number
  done(): Promise<void>
  /** Gives it to others. */
  release(): Promise<void>
}

type BullWorker = InstanceType<Bull['Worker']>
type Job = NonNullable<Awaited<ReturnType<BullWorker['getNextJob']>>>

/** Opens the leases of one worker. */
export function openLeases(bull: Bull, database: Database, options: QueueOptions): Leases {
  const { leaseMs = fleetLimits.leaseMs, tell = () => {}, pending = async () => [] } = options
  const workers = openBullWorkers(bull, database, leaseMs)
  const held = new Map<string, Job>()
  let turn = 0
  let inside = 0
  const renewing = setInterval(() => {
    // A lease that cannot be renewed runs out; then the books say whose result came first.
    for (const [token, job] of held) job.extendLock(token, leaseMs).catch(() => {})
  }, leaseMs / 3)
  const targets = pollTargets(async () => {
    const found = await pending()
    // Another search in this process may have just found a run.
    const used = [...found.map(queueName), ...[...held.values()].map((job) => job.queueName)]
    if (inside <= 1) await workers.closeAllBut(new Set(used))
    return found
  }, database.isSettling)
  const take = async (target: PendingTarget): Promise<Lease | undefined> => {
    const token = randomUUID()
    const worker = await workers.of(queueName(target))
    const job = await worker.getNextJob(token, { block: false })
    if (job === undefined) return undefined
    held.set(token, job)
    const settle = async (what: () => Promise<unknown>) => {
      held.delete(token)
      // The lease was lost: somebody else has the run now, and the books say whose result came first.
      await database.retry(what).catch((thrown: unknown) => tell(`a lease expired: ${messageOf(thrown)}`))
    }
    return {
      // Only runs are ever put into these queues.
      run: job.data as RunKey,
      target,
      tries: job.attemptsStarted,
      done: () => settle(() => job.moveToCompleted('', token, false)),
      release: () => settle(() => job.moveToWait(token)),
    }
  }
  return {
    async next() {
      inside += 1
      try {
        const found = await targets.now()
        for (let index = 0; index < found.length; index++) {
          const target = found[(turn + index) % found.length]
          const lease = target === undefined || target.isHeld ? undefined : await take(target)
          if (lease === undefined) continue
          turn += index + 1
          return lease
        }
      } catch (thrown) {
        database.reportFault(thrown)
      } finally {
        inside -= 1
      }
      return undefined
    },
    isEmpty: targets.isEmpty,
    async close() {
      clearInterval(renewing)
      await workers.closeAllBut(new Set())
    },
  }
}

/**
 * What may be taken from, as of a moment ago. Everybody waits for the first look; later ones hold up only the caller
 * that makes them.
 */
function pollTargets(look: () => Promise<readonly PendingTarget[]>, isSettling: () => boolean) {
  let known: readonly PendingTarget[] | undefined
  let looking: Promise<void> | undefined
  let looked = 0
  const lookAgain = async () => {
    try {
      known = await look()
    } finally {
      looking = undefined
    }
  }
  const refresh = async () => {
    if (known !== undefined && Date.now() - looked < fleetLimits.refreshMs) return
    if (looking !== undefined) return known === undefined ? looking : undefined
    looked = Date.now()
    looking = lookAgain()
    await looking
  }
  return {
    async now() {
      await refresh()
      // Others may have finished runs that they could not enter: those must not be handed out again.
      return isSettling() ? [] : (known ?? [])
    },
    isEmpty: () => known?.length === 0,
  }
}

/** BullMQ needs a worker for each queue, with a connection of its own. */
function openBullWorkers(bull: Bull, database: Database, leaseMs: number) {
  const workers = new Map<string, BullWorker>()
  const connection = { connectionString: database.url, migrate: true, max: 1 }
  // BullMQ returns the runs of a lost worker forever; the books decide when to give up, and after how many tries.
  const stalled = { lockDuration: leaseMs, stalledInterval: Math.round(leaseMs / 3), maxStalledCount: 1_000_000 }
  return {
    async of(name: string): Promise<BullWorker> {
      const found = workers.get(name)
      if (found !== undefined) return found
      const worker = new bull.Worker(name, null, { connection, autorun: false, ...stalled })
      worker.on('error', database.reportFault)
      workers.set(name, worker)
      await worker.startStalledCheckTimer()
      return worker
    },
    async closeAllBut(names: ReadonlySet<string>): Promise<void> {
      const unused = [...workers].filter(([name]) => !names.has(name))
      for (const [name] of unused) workers.delete(name)
      await Promise.allSettled(unused.map(([, worker]) => worker.close(true)))
    },
  }
}
