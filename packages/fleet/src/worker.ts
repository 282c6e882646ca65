/** A worker: takes runs of every campaign that it can work on, makes them, and enters their results. */
import { lostTrial, performRun, type Redacted, type RunKey, type Trial } from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import { openRuns, readCampaigns, renewLease, takeLease } from './campaigns.ts'
import { controlState } from './control.ts'
import type { Database } from './database.ts'
import { fleetLimits } from './limits.ts'
import { showLiveRuns } from './live.ts'
import { type PendingTarget, readPending, stopOverBudget } from './pending-targets.ts'
import { createFleetQueue } from './queue.ts'
import {
  attackOf,
  countInto,
  type Spent,
  settleSpent,
  tidyTargets,
  type Worker,
  type WorkerTarget,
  type WorkOptions,
  workerTargetFor,
} from './worker-target.ts'

/** A run that a worker has made. */
export interface WorkedRun {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
  /** `late` when another worker's result came first. */
  readonly entered: 'recorded' | 'late'
}

/** Works until told to stop; yields every run that it has made. */
export async function* work(database: Database, options: WorkOptions): AsyncGenerator<WorkedRun, void, void> {
  const { tell = () => {}, leaseMs = fleetLimits.leaseMs, onControl = () => {}, drain = false, name } = options
  const live = showLiveRuns(database, name)
  const isRight = createClockCheck(tell)
  const pending = async (): Promise<readonly PendingTarget[]> => {
    await stopOverBudget(database)
    const found = await readPending(database)
    if (!isRight(found.ahead)) return []
    await tidyTargets(worker, found.targets)
    return takeOn(worker, found.targets)
  }
  const queue = await createFleetQueue(database, { pending, tell, leaseMs })
  const known = { targets: new Map(), left: new Map() }
  const worker: Worker = { ...options, tell, leaseMs, onControl, drain, database, queue, onTrace: live.begin, ...known }
  const perform = async (run: RunKey, tries: number, { id }: PendingTarget): Promise<WorkedRun | undefined> => {
    if (!(await takeLease(database, run, name, leaseMs))) return undefined
    const own = worker.targets.get(id)
    if (own === undefined) throw new Error('this worker has just closed the target')
    own.busy += 1
    own.fed = true
    const renewing = setInterval(() => renewLease(database, run, name, leaseMs).catch(() => {}), leaseMs / 3)
    try {
      // Showing it ends before its result is entered, since that deletes what was shown.
      const trial = await makeOrGiveUp(database, run, tries, own).finally(() => live.end(run))
      const entered = await own.ledger.finish(run, trial)
      await settleSpent(database, own)
      return { run, trial, entered }
    } finally {
      clearInterval(renewing)
      own.busy -= 1
    }
  }
  try {
    for await (const worked of queue.take(perform, { room: options.concurrency, signal: options.signal, drain })) {
      if (worked !== undefined) yield worked
    }
  } finally {
    live.close()
    for (const own of worker.targets.values()) await own.controlling
    await tidyTargets(worker, [])
  }
}

/** The pending targets from which this worker takes runs, or will once their control is made. */
async function takeOn(worker: Worker, pending: readonly PendingTarget[]): Promise<readonly PendingTarget[]> {
  const taken: PendingTarget[] = []
  for (const target of pending) {
    const own = await workerTargetFor(worker, target)
    if (own === undefined) continue
    const state = await controlState(worker, target, own)
    if (state === 'pending') taken.push({ ...target, isHeld: true })
    if (state !== 'passed') continue
    taken.push(target)
    await fill(worker, target, own)
  }
  return taken
}

/** Puts into the queue what the submitter did not get to put there; what is already there stays as it is. */
async function fill(
  { database, queue, leaseMs }: Worker,
  { campaign, target }: PendingTarget,
  own: WorkerTarget,
): Promise<void> {
  if (Date.now() - own.filled < leaseMs) return
  if (!own.fed) await queue.add(await openRuns(database, campaign, target))
  own.filled = Date.now()
  own.fed = false
}

/** Whether the clock of this machine is reliable; reports once when it is not. */
function createClockCheck(tell: (message: string) => void): (ahead: number) => boolean {
  let told = false
  return (ahead) => {
    const isRight = Math.abs(ahead) <= fleetLimits.clockMs
    const way = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`
    if (!isRight && !told)
      tell(
        `the clock of this machine is ${way} that of the database, and leases depend on both: set it (NTP); until then this worker takes nothing`,
      )
    told = !isRight
    return isRight
  }
}

async function makeOrGiveUp(
  database: Database,
  run: RunKey,
  tries: number,
  own: WorkerTarget,
): Promise<Redacted<Trial>> {
  const { tries: most } = fleetLimits
  if (tries > most) return lostTrial(run.trial, `${most} workers were lost while they ran it; it is not tried again`)
  const attack = await attackOf(database, own, run)
  if (attack === undefined)
    return lostTrial(run.trial, 'the worker reads the document differently: it has another version')
  const { prepared, campaign, ledger, control } = own
  const { file, trial } = run
  const used = { tokens: 0, calls: 0 }
  return performRun({
    attack,
    trial,
    options: async (spend) => {
      const wanted = await prepared.run({ file, attack, trial, spend })
      const mcpVersion = wanted.mcpVersion ?? control?.mcpVersion
      const { strict } = campaign.plan
      return { ...wanted, ...(mcpVersion !== undefined && { mcpVersion }), ...(strict && { strict }) }
    },
    openTrace: () => ledger.openTrace(run),
    evaluators: { cel: createCelEvaluator(), ...(prepared.judge && { semantic: prepared.judge.evaluator }) },
    redactor: prepared.redactor,
    // Runs under way when the worker is told to stop are finished: their results are as good as any.
    signal: new AbortController().signal,
    retries: campaign.plan.retries ?? 0,
    mayRetry: () => hasBudget(database, campaign.name, used),
    onCall: countInto(used),
  })
}

/** Whether a campaign may still continue, given what a run has used that is not in the books yet. */
async function hasBudget(database: Database, name: string, used: Spent): Promise<boolean> {
  const [now] = await readCampaigns(database, name)
  if (now?.state !== 'open') return false
  const { tokens = Infinity, calls = Infinity } = now.plan.budget ?? {}
  return now.tokens + used.tokens < tokens && now.calls + used.calls < calls
}
