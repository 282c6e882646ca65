/** A worker: takes runs of every campaign that it can work on, makes them, and enters what came of them. */

import {
  type CallUsage,
  type Ledger,
  lostTrial,
  performRun,
  type Redacted,
  type Redactor,
  type RunKey,
  type RunOptions,
  type Trial,
} from '@joust/arena'
import { type AsyncEvaluators, createCelEvaluator, type LoadedAttack, load } from '@joust/oatf'
import type { Result } from '@joust/source'
import type { CampaignTarget } from './campaign.ts'
import { type CampaignRow, noteLease, openRuns, readAttacks, readCampaigns, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { createPostgresLedger } from './ledger.ts'
import { fleetLimits } from './limits.ts'
import { lookAround, type Offer } from './offers.ts'
import { createFleetQueue, type FleetQueue } from './queue.ts'

/** A target that this machine can attack. */
export interface PreparedTarget {
  readonly redactor: Redactor
  readonly evaluators?: AsyncEvaluators
  /** The options of one run; called for each, and for each time that it is made again. */
  run(run: PreparedRun): RunOptions | Promise<RunOptions>
  close?(): Promise<void>
}

/** One run, before it begins. */
export interface PreparedRun {
  readonly file: string
  readonly attack: LoadedAttack
  readonly trial: number
  readonly spend: (usage: CallUsage) => void
}

/** How a worker works. */
export interface WorkOptions {
  /** What the books call this worker. */
  readonly name: string
  readonly concurrency: number
  /** Makes a target ready, or says why this machine cannot attack it: then its runs are left to others. */
  readonly prepare: (
    target: CampaignTarget,
    campaign: CampaignRow,
    attacks: ReadonlyMap<string, LoadedAttack>,
  ) => Promise<Result<PreparedTarget, string>>
  /** Stops taking runs; those under way are finished. */
  readonly signal: AbortSignal
  /** Ends when nothing is left that this worker can do. */
  readonly drain?: boolean
  readonly leaseMs?: number
  readonly tell?: (message: string) => void
}

/** A run that a worker has made. */
export interface WorkedRun {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
  /** `late` when another worker's result came first. */
  readonly entered: 'recorded' | 'late'
}

/** A target that this worker can attack, and what it needs for that. */
interface Bench {
  readonly prepared: PreparedTarget
  attacks: ReadonlyMap<string, LoadedAttack>
  readonly campaign: CampaignRow
  readonly ledger: Ledger
  /** How many runs are under way. */
  busy: number
  /** Whether a run was handed out since the queue was last filled up. */
  fed: boolean
  filled: number
}

/** Works until told to stop; yields every run that it has made. */
export async function* work(database: Database, options: WorkOptions): AsyncGenerator<WorkedRun, void, void> {
  const { tell = () => {}, signal, leaseMs = fleetLimits.leaseMs, concurrency, drain = false } = options
  const benches = new Map<string, Bench | 'left'>()
  const isRight = createClockCheck(tell)
  const offers = async (): Promise<readonly Offer[]> => {
    const { offers: all, ahead } = await lookAround(database)
    if (!isRight(ahead)) return []
    await tidy(benches, all)
    const own: Offer[] = []
    for (const offer of all) {
      const bench = benches.get(offer.id) ?? (await openBench(database, offer, options))
      benches.set(offer.id, bench)
      if (bench === 'left') continue
      own.push(offer)
      await fill(database, queue, offer, bench, leaseMs)
    }
    return own
  }
  const queue = await createFleetQueue(database, { offers, tell, leaseMs })
  const perform = async (run: RunKey, tries: number, offer: Offer): Promise<WorkedRun | undefined> => {
    const note = () => noteLease(database, run, options.name, leaseMs)
    if (!(await database.steady(note))) return undefined
    const bench = benches.get(offer.id)
    if (bench === undefined || bench === 'left') throw new Error('this worker has just closed the target')
    bench.busy += 1
    bench.fed = true
    try {
      const noting = setInterval(() => note().catch(() => {}), leaseMs / 3)
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
async function tidy(benches: Map<string, Bench | 'left'>, offers: readonly Offer[]): Promise<void> {
  const wanted = new Set(offers.map(({ id }) => id))
  for (const [id, bench] of benches) {
    if (wanted.has(id) || (bench !== 'left' && bench.busy > 0)) continue
    benches.delete(id)
    if (bench !== 'left') await bench.prepared.close?.()
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
  return `the clock of this machine is ${seconds} s ${way} that of the database, and leases are told by both: set it (NTP); until then this worker takes nothing`
}

async function openBench(
  database: Database,
  { campaign: name, target: targetName }: Offer,
  options: WorkOptions,
): Promise<Bench | 'left'> {
  const [campaign] = await readCampaigns(database, name)
  const target = (await readTargets(database, name)).find((one) => one.name === targetName)
  if (campaign === undefined || target === undefined) return 'left'
  const attacks = await loadAttacks(database, campaign)
  const prepared = await options.prepare(target, campaign, attacks)
  if (!prepared.ok) {
    options.tell?.(`campaign ${name}: ${targetName} is left to other workers: ${prepared.error}`)
    return 'left'
  }
  const ledger = createPostgresLedger(database, name, { worker: options.name })
  return { prepared: prepared.value, attacks, campaign, ledger, busy: 0, fed: false, filled: Date.now() }
}

async function loadAttacks(database: Database, { name, plan }: CampaignRow): Promise<Map<string, LoadedAttack>> {
  const attacks = new Map<string, LoadedAttack>()
  for (const { file, text, fingerprint } of await readAttacks(database, name)) {
    const loaded = load(text, { strict: plan.strict })
    if (loaded.ok && loaded.value.fingerprint === fingerprint) attacks.set(attackKey(file, fingerprint), loaded.value)
  }
  return attacks
}

function attackKey(file: string, fingerprint: string): string {
  return JSON.stringify([file, fingerprint])
}

async function workOn(database: Database, run: RunKey, tries: number, bench: Bench): Promise<WorkedRun> {
  const key = attackKey(run.file, run.fingerprint)
  // Attacks may have been added since.
  if (!bench.attacks.has(key)) bench.attacks = await loadAttacks(database, bench.campaign)
  const attack = bench.attacks.get(key)
  const trial = await makeOrGiveUp(run, tries, attack, bench)
  return { run, trial, entered: await bench.ledger.finish(run, trial) }
}

async function makeOrGiveUp(
  run: RunKey,
  tries: number,
  attack: LoadedAttack | undefined,
  bench: Bench,
): Promise<Redacted<Trial>> {
  const { tries: most } = fleetLimits
  if (tries > most) return lostTrial(run.trial, `${most} workers were lost while they ran it; it is not tried again`)
  if (attack === undefined)
    return lostTrial(run.trial, 'the worker reads the document differently: it has another version')
  const { prepared, campaign, ledger } = bench
  const { file, trial } = run
  return performRun({
    attack,
    trial,
    options: (spend) => prepared.run({ file, attack, trial, spend }),
    openTrace: () => ledger.openTrace(run),
    evaluators: { cel: createCelEvaluator(), ...prepared.evaluators },
    redactor: prepared.redactor,
    // What is under way when the worker is told to stop is finished: its result is as good as any.
    signal: new AbortController().signal,
    retries: campaign.plan.retries ?? 0,
  })
}
