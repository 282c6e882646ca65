/** BullMQ queues of campaigns: one per target, so that a worker takes only runs of targets that it can attack. */

import { pause, sha256, systemClock } from '@joust/io'
import { messageOf } from '@joust/source'
import { keyText, type Queue, type RunKey, type TakeOptions } from '@joust/trials'
import type { Database } from './database.ts'
import { isTransient } from './errors.ts'
import { type Leases, openLeases, type QueueOptions } from './leases.ts'
import { type Bull, loadBull } from './libraries.ts'
import { fleetLimits } from './limits.ts'
import { type PendingTarget, queueName, type TargetKey } from './pending-targets.ts'

export interface FleetQueue extends Queue {
  /** Takes runs and calls `perform` with the run and its target. */
  take<Done>(perform: PerformOn<Done>, options: TakeOptions): AsyncGenerator<Done, void, void>
  /** Limits the concurrent runs of a target across all workers. */
  limit(target: TargetKey, concurrency: number | undefined): Promise<void>
  /** Removes the queued runs of a target. */
  clear(target: TargetKey): Promise<void>
}

type PerformOn<Done> = (run: RunKey, tries: number, target: PendingTarget) => Promise<Done>

type BullQueue = InstanceType<Bull['Queue']>

export async function createFleetQueue(database: Database, options: QueueOptions = {}): Promise<FleetQueue> {
  const bull = await loadBull()
  const onQueue = <T>(name: string, work: (queue: BullQueue) => Promise<T>): Promise<T> =>
    database.retry(async () => {
      const connection = { connectionString: database.url, migrate: true, max: 1 }
      const queue = new bull.Queue(name, { connection })
      queue.on('error', () => {})
      try {
        return await work(queue)
      } finally {
        await queue.close().catch(() => {})
      }
    })
  return {
    async add(runs) {
      for (const [name, own] of byQueue(runs)) await onQueue(name, (queue) => addRuns(queue, own))
    },
    take: (perform, taking) => takeRuns(openLeases(bull, database, options), perform, taking, options),
    limit: (target, concurrency) =>
      onQueue(queueName(target), async (queue) => {
        if (concurrency === undefined) await queue.removeGlobalConcurrency()
        else await queue.setGlobalConcurrency(concurrency)
      }),
    clear: (target) => onQueue(queueName(target), (queue) => queue.obliterate({ force: true })),
  }
}

function byQueue(runs: readonly RunKey[]): Map<string, RunKey[]> {
  const queues = new Map<string, RunKey[]>()
  for (const run of runs) {
    const own = queues.get(queueName(run)) ?? []
    queues.set(queueName(run), own)
    own.push(run)
  }
  return queues
}

async function addRuns(queue: BullQueue, runs: readonly RunKey[]): Promise<void> {
  for (let at = 0; at < runs.length; at += fleetLimits.batch) {
    const batch = runs.slice(at, at + fleetLimits.batch)
    // Adding a waiting or running job again does not change it. Finished jobs are removed.
    const removal = { removeOnComplete: true, removeOnFail: true }
    await queue.addBulk(
      batch.map((run) => ({ name: 'run', data: run, opts: { jobId: `r${sha256(keyText(run), 32)}`, ...removal } })),
    )
  }
}

async function* takeRuns<Done>(
  leases: Leases,
  perform: PerformOn<Done>,
  { room, signal, drain = false }: TakeOptions,
  { tell = () => {} }: QueueOptions,
): AsyncGenerator<Done, void, void> {
  const ready: Done[] = []
  let wake = () => {}
  let working = 0
  const stop = new AbortController()
  const ending = AbortSignal.any([signal, stop.signal])
  const slot = async () => {
    while (!ending.aborted) {
      const lease = await leases.next()
      if (lease === undefined) {
        if (drain && leases.isEmpty()) return
        await pause(systemClock, fleetLimits.idleMs, ending)
        continue
      }
      try {
        ready.push(await perform(lease.run, lease.tries, lease.target))
        wake()
        await lease.done()
      } catch (thrown) {
        tell(`${lease.run.file}, trial ${lease.run.trial}, returned to the queue: ${messageOf(thrown)}`)
        await lease.release()
        if (!isTransient(thrown)) await pause(systemClock, fleetLimits.idleMs, ending)
      }
    }
  }
  const slots = Array.from({ length: Math.max(1, Math.floor(room)) }, async () => {
    working += 1
    await slot().finally(() => {
      working -= 1
      wake()
    })
  })
  try {
    while (ready.length > 0 || working > 0) {
      const next = ready.shift()
      if (next !== undefined) yield next
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    stop.abort()
    await Promise.allSettled(slots)
    await leases.close()
  }
}
