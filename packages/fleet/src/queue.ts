/** The runs of campaigns on BullMQ: a queue for each target, so that a worker takes only from those that it can attack. */
import { keyText, type Queue, type RunKey, type TakeOptions } from '@joust/arena'
import { type Database, pause } from './database.ts'
import { type Desk, openDesk, type QueueOptions } from './desk.ts'
import { isPassing, messageOf } from './errors.ts'
import { fleetLimits } from './limits.ts'
import { type CampaignPart, hash, type Offer, queueName } from './offers.ts'
import { loadBull } from './peers.ts'

/** A queue over a database. */
export interface FleetQueue extends Queue {
  /** The same as `take`, with the offer that a run came from. */
  serve<Done>(perform: Serve<Done>, options: TakeOptions): AsyncGenerator<Done, void, void>
  /** How many runs of a target go on at a time, over all workers. */
  limit(part: CampaignPart, concurrency: number | undefined): Promise<void>
  /** Forgets the runs of a target that nobody has. */
  forget(part: CampaignPart): Promise<void>
}

type Serve<Done> = (run: RunKey, tries: number, offer: Offer) => Promise<Done>

type Bull = Awaited<ReturnType<typeof loadBull>>
type BullQueue = InstanceType<Bull['Queue']>

/** Opens the queue. */
export async function createFleetQueue(database: Database, options: QueueOptions = {}): Promise<FleetQueue> {
  const bull = await loadBull()
  const onQueue = async <T>(part: CampaignPart, work: (queue: BullQueue) => Promise<T>): Promise<T> => {
    const connection = { connectionString: database.url, migrate: true, max: 1 }
    const queue = new bull.Queue(queueName(part), { connection })
    queue.on('error', () => {})
    try {
      return await work(queue)
    } finally {
      await queue.close().catch(() => {})
    }
  }
  const steadily = <T>(part: CampaignPart, work: (queue: BullQueue) => Promise<T>) =>
    database.steady(() => onQueue(part, work))
  return {
    async add(runs) {
      for (const [offer, own] of byOffer(runs)) await steadily(offer, (queue) => addRuns(queue, own))
    },
    take: (perform, taking) => takeRuns(openDesk(bull, database, options), perform, taking, options),
    serve: (perform, taking) => takeRuns(openDesk(bull, database, options), perform, taking, options),
    limit: (offer, concurrency) =>
      steadily(offer, async (queue) => {
        if (concurrency === undefined) await queue.removeGlobalConcurrency()
        else await queue.setGlobalConcurrency(concurrency)
      }),
    forget: (offer) => steadily(offer, (queue) => queue.obliterate({ force: true })),
  }
}

function byOffer(runs: readonly RunKey[]): Map<CampaignPart, RunKey[]> {
  const names = new Map<string, { readonly offer: CampaignPart; readonly runs: RunKey[] }>()
  for (const run of runs) {
    const offer = { campaign: run.campaign, target: run.target }
    const known = names.get(queueName(offer)) ?? { offer, runs: [] }
    names.set(queueName(offer), known)
    known.runs.push(run)
  }
  return new Map([...names.values()].map((entry) => [entry.offer, entry.runs]))
}

async function addRuns(queue: BullQueue, runs: readonly RunKey[]): Promise<void> {
  for (let at = 0; at < runs.length; at += fleetLimits.batch) {
    const some = runs.slice(at, at + fleetLimits.batch)
    // A job of the same id that waits or runs is left as it is; one that is done is gone.
    const kept = { removeOnComplete: true, removeOnFail: true }
    await queue.addBulk(
      some.map((run) => ({ name: 'run', data: run, opts: { jobId: `r${hash(keyText(run))}`, ...kept } })),
    )
  }
}

/** Fills the room with runs until told to stop. */
async function* takeRuns<Done>(
  desk: Desk,
  perform: Serve<Done>,
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
      const lease = await desk.next()
      if (lease === undefined) {
        if (drain && desk.isEmpty()) return
        await pause(fleetLimits.idleMs, ending)
        continue
      }
      try {
        ready.push(await perform(lease.run, lease.tries, lease.offer))
        wake()
        await lease.done()
      } catch (thrown) {
        tell(`${lease.run.file}, trial ${lease.run.trial}, goes back to the queue: ${messageOf(thrown)}`)
        await lease.release()
        if (!isPassing(thrown)) await pause(fleetLimits.idleMs, ending)
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
    for (;;) {
      const next = ready.shift()
      if (next !== undefined) yield next
      else if (working === 0) return
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (ready.length > 0 || working === 0) resolve()
        })
      }
    }
  } finally {
    stop.abort()
    await Promise.allSettled(slots)
    await desk.close()
  }
}
