/** A worker: takes runs of every campaign that it can work on, makes them, and enters their results. */
import { lostTrial, performRun, type Redacted, type ResultControl, type RunKey, type Trial } from '@joust/arena'
import { createCelEvaluator, type LoadedAttack } from '@joust/oatf'
import { openRuns, readCampaigns, renewLease, takeLease } from './campaigns.ts'
import type { Database } from './database.ts'
import { fleetLimits } from './limits.ts'
import { type LiveRuns, showLiveRuns } from './live.ts'
import { type PendingTarget, readPending, stopOverBudget, type TargetKey } from './pending-targets.ts'
import { createFleetQueue, type FleetQueue } from './queue.ts'
import { dropRefusal, noteRefusal } from './refusals.ts'
import { preflightState } from './run-preflight.ts'
import { attackOf, openWorkerTarget, type Prepare, settleSpent, type WorkerTarget } from './worker-target.ts'

/** How a worker works. */
export interface WorkOptions {
  /** The name of this worker in the books. */
  readonly name: string
  readonly concurrency: number
  /** Prepares a target, or says why this machine cannot attack it: then its runs are left to others. */
  readonly prepare: Prepare
  /** Stops taking runs; those under way are finished. */
  readonly signal: AbortSignal
  /** Ends when nothing is left that this worker can do. */
  readonly drain?: boolean
  readonly leaseMs?: number
  readonly tell?: (message: string) => void
  /** Called with the outcome of a control that this worker has made. */
  readonly onControl?: (target: TargetKey, control: ResultControl) => void
}

/** A run that a worker has made. */
export interface WorkedRun {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
  /** `late` when another worker's result came first. */
  readonly entered: 'recorded' | 'late'
}

/** What this worker has prepared, by the id of the pending target. */
type OwnTargets = Map<string, WorkerTarget | Refused>

/** A target that is left to others until it is checked again: a disk, for example, may have room again later. */
interface Refused {
  readonly why: string
  readonly until: number
}

function isRefused(own: WorkerTarget | Refused): own is Refused {
  return 'until' in own
}

/** Works until told to stop; yields every run that it has made. */
export async function* work(database: Database, options: WorkOptions): AsyncGenerator<WorkedRun, void, void> {
  const { tell = () => {}, signal, leaseMs = fleetLimits.leaseMs, concurrency, drain = false, name } = options
  const targets: OwnTargets = new Map()
  const live = showLiveRuns(database, name)
  const isRight = createClockCheck(tell)
  const pending = async (): Promise<readonly PendingTarget[]> => {
    await stopOverBudget(database)
    const found = await readPending(database)
    if (!isRight(found.ahead)) return []
    await tidy(targets, found.targets)
    return takeOn(database, queue, found.targets, targets, { ...options, tell, leaseMs, onTrace: live.begin })
  }
  const queue = await createFleetQueue(database, { pending, tell, leaseMs })
  const perform = async (run: RunKey, tries: number, { id }: PendingTarget): Promise<WorkedRun | undefined> => {
    if (!(await takeLease(database, run, name, leaseMs))) return undefined
    const own = targets.get(id)
    if (own === undefined || isRefused(own)) throw new Error('this worker has just closed the target')
    own.busy += 1
    own.fed = true
    const renewing = setInterval(() => renewLease(database, run, name, leaseMs).catch(() => {}), leaseMs / 3)
    try {
      return await workOn(database, run, tries, own, live)
    } finally {
      clearInterval(renewing)
      own.busy -= 1
    }
  }
  try {
    for await (const worked of queue.take(perform, { room: concurrency, signal, drain })) {
      if (worked !== undefined) yield worked
    }
  } finally {
    live.close()
    for (const own of targets.values()) if (!isRefused(own)) await own.preflighting
    await tidy(targets, [])
  }
}

type TakeOnOptions = Required<Pick<WorkOptions, 'tell' | 'leaseMs'>> &
  WorkOptions & { readonly onTrace: LiveRuns['begin'] }

/** The pending targets from which this worker takes runs, or will once their preflight is made. */
async function takeOn(
  database: Database,
  queue: FleetQueue,
  pending: readonly PendingTarget[],
  targets: OwnTargets,
  options: TakeOnOptions,
): Promise<readonly PendingTarget[]> {
  const { onControl = () => {}, leaseMs } = options
  const taken: PendingTarget[] = []
  for (const target of pending) {
    const own = await workerTargetFor(database, target, targets, options)
    if (own === undefined) continue
    const state = await preflightState(database, queue, target, own, { ...options, onControl })
    if (state === 'pending') taken.push({ ...target, isHeld: true })
    if (state !== 'passed') continue
    taken.push(target)
    await fill(database, queue, target, own, leaseMs)
  }
  return taken
}

/** Puts into the queue what the submitter did not get to put there; what is already there stays as it is. */
async function fill(
  database: Database,
  queue: FleetQueue,
  { campaign, target }: PendingTarget,
  own: WorkerTarget,
  everyMs: number,
): Promise<void> {
  if (Date.now() - own.filled < everyMs) return
  if (!own.fed) await queue.add(await openRuns(database, campaign, target))
  own.filled = Date.now()
  own.fed = false
}

/** Closes what is neither pending nor in use any more. */
async function tidy(targets: OwnTargets, pending: readonly PendingTarget[]): Promise<void> {
  const wanted = new Set(pending.map(({ id }) => id))
  for (const [id, own] of targets) {
    if (wanted.has(id) || (!isRefused(own) && own.busy > 0)) continue
    targets.delete(id)
    if (!isRefused(own)) await own.prepared.close?.()
  }
}

/** Whether the clock of this machine is reliable; reports once when it is not. */
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

/** A target as this worker has it; undefined while it leaves it to others, which the books also know. */
async function workerTargetFor(
  database: Database,
  target: PendingTarget,
  targets: OwnTargets,
  options: TakeOnOptions,
): Promise<WorkerTarget | undefined> {
  const { name, tell } = options
  const known = targets.get(target.id)
  if (known !== undefined && !isRefused(known)) return known
  if (known !== undefined && performance.now() < known.until) return undefined
  const opened = await openWorkerTarget(database, target, options)
  if (opened?.ok) {
    targets.set(target.id, opened.value)
    if (known !== undefined) await dropRefusal(database, target, name)
    return opened.value
  }
  const why = opened?.error ?? ''
  targets.set(target.id, { why, until: performance.now() + fleetLimits.leftMs })
  if (why === '' || why === known?.why) return undefined
  tell(`campaign ${target.campaign}: ${target.target} is left to other workers: ${why}`)
  await noteRefusal(database, target, name, why)
  return undefined
}

async function workOn(
  database: Database,
  run: RunKey,
  tries: number,
  own: WorkerTarget,
  live: LiveRuns,
): Promise<WorkedRun> {
  const attack = await attackOf(database, own, run)
  // Showing it ends before its result is entered, since that deletes what was shown.
  const trial = await makeOrGiveUp(database, run, tries, attack, own).finally(() => live.end(run))
  const entered = await own.ledger.finish(run, trial)
  await settleSpent(database, own)
  return { run, trial, entered }
}

async function makeOrGiveUp(
  database: Database,
  run: RunKey,
  tries: number,
  attack: LoadedAttack | undefined,
  own: WorkerTarget,
): Promise<Redacted<Trial>> {
  const { tries: most } = fleetLimits
  if (tries > most) return lostTrial(run.trial, `${most} workers were lost while they ran it; it is not tried again`)
  if (attack === undefined)
    return lostTrial(run.trial, 'the worker reads the document differently: it has another version')
  const { prepared, campaign, ledger, preflight } = own
  const { file, trial } = run
  const used = { tokens: 0, calls: 0 }
  return performRun({
    attack,
    trial,
    options: async (spend) => {
      const wanted = await prepared.run({ file, attack, trial, spend })
      const mcpVersion = wanted.mcpVersion ?? preflight?.mcpVersion
      return { ...wanted, ...(mcpVersion !== undefined && { mcpVersion }) }
    },
    openTrace: () => ledger.openTrace(run),
    evaluators: { cel: createCelEvaluator(), ...(prepared.judge && { semantic: prepared.judge.evaluator }) },
    redactor: prepared.redactor,
    // Runs under way when the worker is told to stop are finished: their results are as good as any.
    signal: new AbortController().signal,
    retries: campaign.plan.retries ?? 0,
    mayRetry: () => hasBudget(database, campaign.name, used),
    onCall({ inputTokens, outputTokens }) {
      used.calls += 1
      used.tokens += inputTokens + outputTokens
    },
  })
}

/** Whether a campaign may still continue, given what a run has used that is not in the books yet. */
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
