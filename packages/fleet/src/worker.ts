/** A worker: takes runs of every campaign that it can work on, makes them, and enters what came of them. */
import { lostTrial, performRun, type Redacted, type ResultControl, type RunKey, type Trial } from '@joust/arena'
import { createCelEvaluator, type LoadedAttack } from '@joust/oatf'
import { attackOf, type Bench, openBench, type Prepare, settleSpent } from './bench.ts'
import { openRuns, readCampaigns, renewLease, takeLease } from './campaigns.ts'
import type { Database } from './database.ts'
import { fleetLimits } from './limits.ts'
import { type CampaignPart, lookAround, type Offer } from './offers.ts'
import { standingOf } from './open-target.ts'
import { createFleetQueue, type FleetQueue } from './queue.ts'
import { dropRefusal, noteRefusal } from './refusals.ts'

/** How a worker works. */
export interface WorkOptions {
  /** What the books call this worker. */
  readonly name: string
  readonly concurrency: number
  /** Makes a target ready, or says why this machine cannot attack it: then its runs are left to others. */
  readonly prepare: Prepare
  /** Stops taking runs; those under way are finished. */
  readonly signal: AbortSignal
  /** Ends when nothing is left that this worker can do. */
  readonly drain?: boolean
  readonly leaseMs?: number
  readonly tell?: (message: string) => void
  /** Hears what came of a control that this worker has made. */
  readonly onControl?: (part: CampaignPart, control: ResultControl) => void
}

/** A run that a worker has made. */
export interface WorkedRun {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
  /** `late` when another worker's result came first. */
  readonly entered: 'recorded' | 'late'
}

/** What this worker has ready, by offer. */
type Benches = Map<string, Bench | Left>

/** A target that is left to others until it is looked at again: a disk, say, has room again some time. */
interface Left {
  readonly why: string
  readonly until: number
}

function isLeft(bench: Bench | Left): bench is Left {
  return 'until' in bench
}

/** Works until told to stop; yields every run that it has made. */
export async function* work(database: Database, options: WorkOptions): AsyncGenerator<WorkedRun, void, void> {
  const { tell = () => {}, signal, leaseMs = fleetLimits.leaseMs, concurrency, drain = false } = options
  const opening = { name: options.name, leaseMs, signal, tell, onControl: options.onControl ?? (() => {}) }
  const benches: Benches = new Map()
  const isRight = createClockCheck(tell)
  const offers = async (): Promise<readonly Offer[]> => {
    const { offers: all, ahead } = await lookAround(database)
    if (!isRight(ahead)) return []
    await tidy(benches, all)
    const own: Offer[] = []
    for (const offer of all) {
      const bench = await benchFor(database, offer, benches, options)
      if (bench === undefined) continue
      const standing = await standingOf(database, queue, offer, bench, opening)
      if (standing === 'held') own.push({ ...offer, isHeld: true })
      if (standing !== 'open') continue
      own.push(offer)
      await fill(database, queue, offer, bench, leaseMs)
    }
    return own
  }
  const queue = await createFleetQueue(database, { offers, tell, leaseMs })
  const perform = async (run: RunKey, tries: number, offer: Offer): Promise<WorkedRun | undefined> => {
    if (!(await takeLease(database, run, options.name, leaseMs))) return undefined
    const bench = benches.get(offer.id)
    if (bench === undefined || isLeft(bench)) throw new Error('this worker has just closed the target')
    bench.busy += 1
    bench.fed = true
    try {
      const renew = () => renewLease(database, run, options.name, leaseMs).catch(() => {})
      const noting = setInterval(renew, leaseMs / 3)
      return await workOn(database, run, tries, bench).finally(() => clearInterval(noting))
    } finally {
      bench.busy -= 1
    }
  }
  try {
    for await (const worked of queue.serve(perform, { room: concurrency, signal, drain })) {
      if (worked !== undefined) yield worked
    }
  } finally {
    for (const bench of benches.values()) if (!isLeft(bench)) await bench.opener
    await tidy(benches, [])
  }
}

/** Puts into the queue what whoever submitted it did not get to put there; what is there already stays as it is. */
async function fill(
  database: Database,
  queue: FleetQueue,
  { campaign, target }: Offer,
  bench: Bench,
  everyMs: number,
): Promise<void> {
  if (Date.now() - bench.filled < everyMs) return
  if (!bench.fed) await queue.add(await openRuns(database, campaign, target))
  bench.filled = Date.now()
  bench.fed = false
}

/** Closes what is no longer offered and not in use. */
async function tidy(benches: Benches, offers: readonly Offer[]): Promise<void> {
  const wanted = new Set(offers.map(({ id }) => id))
  for (const [id, bench] of benches) {
    if (wanted.has(id) || (!isLeft(bench) && bench.busy > 0)) continue
    benches.delete(id)
    if (!isLeft(bench)) await bench.prepared.close?.()
  }
}

/** Whether the clock of this machine can be relied on; tells once when it cannot. */
function createClockCheck(tell: (message: string) => void): (ahead: number) => boolean {
  let told = false
  return (ahead) => {
    const isRight = Math.abs(ahead) <= fleetLimits.clockMs
    if (!isRight && !told) tell(clockFault(ahead))
    told = !isRight
    return isRight
  }
}

function clockFault(ahead: number): string {
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const way = ahead > 0 ? 'ahead of' : 'behind'
  return `the clock of this machine is ${seconds} s ${way} that of the database, and leases depend on both: set it (NTP); until then this worker takes nothing`
}

/** The bench for a target; undefined while this worker leaves it to others, which the books know as well. */
async function benchFor(
  database: Database,
  offer: Offer,
  benches: Benches,
  { name, prepare, tell = () => {} }: WorkOptions,
): Promise<Bench | undefined> {
  const known = benches.get(offer.id)
  if (known !== undefined && !isLeft(known)) return known
  if (known !== undefined && performance.now() < known.until) return undefined
  const opened = await openBench(database, offer, name, prepare)
  if (opened?.ok) {
    benches.set(offer.id, opened.value)
    if (known !== undefined) await dropRefusal(database, offer, name)
    return opened.value
  }
  const why = opened?.error ?? ''
  benches.set(offer.id, { why, until: performance.now() + fleetLimits.leftMs })
  if (why === '' || why === known?.why) return undefined
  tell(`campaign ${offer.campaign}: ${offer.target} is left to other workers: ${why}`)
  await noteRefusal(database, offer, name, why)
  return undefined
}

async function workOn(database: Database, run: RunKey, tries: number, bench: Bench): Promise<WorkedRun> {
  const attack = await attackOf(database, bench, run)
  const trial = await makeOrGiveUp(database, run, tries, attack, bench)
  const entered = await bench.ledger.finish(run, trial)
  await settleSpent(database, bench)
  return { run, trial, entered }
}

async function makeOrGiveUp(
  database: Database,
  run: RunKey,
  tries: number,
  attack: LoadedAttack | undefined,
  bench: Bench,
): Promise<Redacted<Trial>> {
  const { tries: most } = fleetLimits
  if (tries > most) return lostTrial(run.trial, `${most} workers were lost while they ran it; it is not tried again`)
  if (attack === undefined)
    return lostTrial(run.trial, 'the worker reads the document differently: it has another version')
  const { prepared, campaign, ledger, opening } = bench
  const { file, trial } = run
  const used = { tokens: 0, calls: 0 }
  return performRun({
    attack,
    trial,
    options: async (spend) => {
      const wanted = await prepared.run({ file, attack, trial, spend })
      const mcpVersion = wanted.mcpVersion ?? opening?.mcpVersion
      return { ...wanted, ...(mcpVersion !== undefined && { mcpVersion }) }
    },
    openTrace: () => ledger.openTrace(run),
    evaluators: { cel: createCelEvaluator(), ...(prepared.judge && { semantic: prepared.judge.evaluator }) },
    redactor: prepared.redactor,
    // What is under way when the worker is told to stop is finished: its result is as good as any.
    signal: new AbortController().signal,
    retries: campaign.plan.retries ?? 0,
    mayRetry: () => hasBudget(database, campaign.name, used),
    onCall({ inputTokens, outputTokens }) {
      used.calls += 1
      used.tokens += inputTokens + outputTokens
    },
  })
}

/** Whether a campaign still goes on, with what a run has used that is not in the books yet. */
async function hasBudget(
  database: Database,
  name: string,
  used: { readonly tokens: number; readonly calls: number },
): Promise<boolean> {
  const [now] = await readCampaigns(database, name)
  if (now?.state !== 'open') return false
  const { tokens = Infinity, calls = Infinity } = now.plan.budget ?? {}
  return now.tokens + used.tokens < tokens && now.calls + used.calls < calls
}
