/** Where a worker gets its runs: the queues of all targets that it can attack, in turn, each run on a lease. */
import { randomUUID } from 'node:crypto'
import type { RunKey } from '@joust/arena'
import type { Database } from './database.ts'
import { messageOf } from './errors.ts'
import { fleetLimits } from './limits.ts'
import { type Offer, queueName } from './offers.ts'
import type { loadBull } from './peers.ts'

/** How runs are taken. */
export interface QueueOptions {
  /** What this worker may take from, asked again and again; without it there is nothing to take. */
  readonly offers?: () => Promise<readonly Offer[]>
  readonly leaseMs?: number
  readonly tell?: (message: string) => void
}

/** Hands out leases. */
export interface Desk {
  /** The next run; undefined when there is none now. */
  next(): Promise<Lease | undefined>
  /** Whether there is nothing left that this worker could do, now or later. */
  isEmpty(): boolean
  close(): Promise<void>
}

/** A run that this worker has. It is kept as long as this process lives, or until one of the two is called. */
interface Lease {
  readonly run: RunKey
  readonly offer: Offer
  /** How often the run was handed out, this time included. */
  readonly tries: number
  done(): Promise<void>
  /** Gives it to others. */
  release(): Promise<void>
}

type Bull = Awaited<ReturnType<typeof loadBull>>
type BullWorker = InstanceType<Bull['Worker']>
type Job = NonNullable<Awaited<ReturnType<BullWorker['getNextJob']>>>

/** Opens the desk of one worker. */
export function openDesk(bull: Bull, database: Database, options: QueueOptions): Desk {
  const { leaseMs = fleetLimits.leaseMs, tell = () => {}, offers = async () => [] } = options
  const workers = new Map<string, BullWorker>()
  const held = new Map<string, Job>()
  let known: readonly Offer[] | undefined
  let looking: Promise<void> | undefined
  let looked = 0
  let turn = 0
  let inside = 0

  const renewing = setInterval(() => {
    // One that cannot be renewed runs out; then the books tell whose result came first.
    for (const [token, job] of held) job.extendLock(token, leaseMs).catch(() => {})
  }, leaseMs / 3)

  const look = async () => {
    known = await offers()
    // Whoever else looks for a run may have just got one.
    if (inside > 1) return
    const names = new Set(known.map(queueName))
    for (const [name, worker] of workers) {
      if (names.has(name) || [...held.values()].some(({ queueName: own }) => own === name)) continue
      workers.delete(name)
      await worker.close(true)
    }
  }

  /** The first look is waited for by all; later ones hold nobody up but who takes them. */
  const refresh = async () => {
    if (known !== undefined && Date.now() - looked < fleetLimits.refreshMs) return
    if (looking !== undefined) return known === undefined ? looking : undefined
    looked = Date.now()
    looking = look().finally(() => {
      looking = undefined
    })
    await looking
  }

  const workerOf = async (offer: Offer): Promise<BullWorker> => {
    const name = queueName(offer)
    const found = workers.get(name)
    if (found !== undefined) return found
    const connection = { connectionString: database.url, migrate: true, max: 1 }
    // What a lost worker had comes back for ever: who gives up, and after how many tries, is decided with the books.
    const stalled = { lockDuration: leaseMs, stalledInterval: Math.round(leaseMs / 3), maxStalledCount: 1_000_000 }
    const worker = new bull.Worker(name, null, { connection, autorun: false, ...stalled })
    worker.on('error', database.trouble)
    workers.set(name, worker)
    await worker.startStalledCheckTimer()
    return worker
  }

  const leaseOf = (job: Job, token: string, offer: Offer): Lease => {
    const settle = async (what: () => Promise<unknown>) => {
      held.delete(token)
      // The lease was lost: somebody else has the run now, and the books know whose result came first.
      await what().catch((thrown: unknown) => tell(`a lease had run out: ${messageOf(thrown)}`))
    }
    return {
      // Only runs are ever put into these queues.
      run: job.data as RunKey,
      offer,
      tries: job.attemptsStarted,
      done: () => settle(() => job.moveToCompleted('', token, false)),
      release: () => settle(() => job.moveToWait(token)),
    }
  }

  return {
    async next() {
      inside += 1
      try {
        await refresh()
        const offered = known ?? []
        for (let index = 0; index < offered.length; index++) {
          const offer = offered[(turn + index) % offered.length]
          if (offer === undefined || offer.isHeld) continue
          const token = randomUUID()
          const worker = await workerOf(offer)
          const job = await worker.getNextJob(token, { block: false })
          if (job === undefined) continue
          turn += index + 1
          held.set(token, job)
          return leaseOf(job, token, offer)
        }
      } catch (thrown) {
        database.trouble(thrown)
      } finally {
        inside -= 1
      }
      return undefined
    },
    isEmpty: () => known?.length === 0,
    async close() {
      clearInterval(renewing)
      await Promise.allSettled([...workers.values()].map((worker) => worker.close(true)))
    },
  }
}
