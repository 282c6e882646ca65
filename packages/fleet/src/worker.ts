/** Workers, which take runs of all campaigns whose targets they can attack, and record their results. */

import { createCelEvaluator } from '@joust/oatf'
import type { Redacted, Trial } from '@joust/results'
import { withPreflight } from '@joust/targets'
import { lostTrial, type RunKey, runTrial } from '@joust/trials'
import { openRuns, readCampaigns, renewLease, takeLease } from './campaigns.ts'
import type { Database } from './database.ts'
import { fleetLimits } from './limits.ts'
import { showLiveRuns } from './live.ts'
import { type PendingTarget, readPending, stopOverBudget } from './pending-targets.ts'
import { preflightState } from './preflight.ts'
import { createFleetQueue } from './queue.ts'
import {
  attackOf,
  closeUnusedTargets,
  recordSpent,
  type Spent,
  usageCounter,
  type Worker,
  type WorkerTarget,
  type WorkOptions,
  workerTargetFor,
} from './worker-target.ts'

export interface FinishedRun {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
  /** `late` if another worker recorded a result for the run first. */
  readonly entered: 'recorded' | 'late'
}

/** Works until the signal aborts. Yields every finished run. */
export async function* work(database: Database, options: WorkOptions): AsyncGenerator<FinishedRun, void, void> {
  const { tell = () => {}, leaseMs = fleetLimits.leaseMs, onPreflight = () => {}, drain = false, name } = options
  const live = showLiveRuns(database, name)
  const checkClock = createClockCheck(tell)
  const pending = async (): Promise<readonly PendingTarget[]> => {
    await stopOverBudget(database)
    const { targets, ahead } = await readPending(database)
    if (!checkClock(ahead)) return []
    await closeUnusedTargets(worker, targets)
    return availableTargets(worker, targets)
  }
  const queue = await createFleetQueue(database, { pending, tell, leaseMs })
  const settings = { tell, leaseMs, onPreflight, drain, database, queue, onTrace: live.begin }
  const worker: Worker = { ...options, ...settings, targets: new Map(), refusals: new Map() }
  const perform = async (run: RunKey, tries: number, { id }: PendingTarget): Promise<FinishedRun | undefined> => {
    if (!(await takeLease(database, run, name, leaseMs))) return undefined
    const own = worker.targets.get(id)
    if (own === undefined) throw new Error('the target was closed')
    own.busy += 1
    own.fed = true
    const renewing = setInterval(() => renewLease(database, run, name, leaseMs).catch(() => {}), leaseMs / 3)
    try {
      // Uploading ends before the result is recorded, because that deletes the uploaded parts.
      const trial = await runOrGiveUp(database, run, tries, own).finally(() => live.end(run))
      const entered = await own.ledger.finish(run, trial)
      await recordSpent(database, own)
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
    for (const own of worker.targets.values()) await own.preflightRun
    await closeUnusedTargets(worker, [])
  }
}

async function availableTargets(worker: Worker, pending: readonly PendingTarget[]): Promise<readonly PendingTarget[]> {
  const available: PendingTarget[] = []
  for (const target of pending) {
    const own = await workerTargetFor(worker, target)
    if (own === undefined) continue
    const state = await preflightState(worker, target, own)
    if (state === 'pending') available.push({ ...target, isHeld: true })
    if (state !== 'passed') continue
    available.push(target)
    await fill(worker, target, own)
  }
  return available
}

/** Queues open runs that are not in the queue, for example after a crash of the submitter. */
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

function createClockCheck(tell: (message: string) => void): (ahead: number) => boolean {
  let isReported = false
  return (ahead) => {
    const isSynchronized = Math.abs(ahead) <= fleetLimits.clockMs
    const offset = `${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'}`
    if (!isSynchronized && !isReported)
      tell(
        `the local clock is ${offset} the database, which breaks leases: synchronize it (NTP); taking no runs until then`,
      )
    isReported = !isSynchronized
    return isSynchronized
  }
}

async function runOrGiveUp(
  database: Database,
  run: RunKey,
  tries: number,
  own: WorkerTarget,
): Promise<Redacted<Trial>> {
  const { tries: limit } = fleetLimits
  if (tries > limit)
    return lostTrial(run.trial, `${limit} workers crashed or lost their connection during this run; no further retries`)
  const attack = await attackOf(database, own, run)
  if (!attack.ok) return lostTrial(run.trial, attack.error)
  const { prepared, campaign, ledger, preflight } = own
  const { file, arm, trial } = run
  const used = { tokens: 0, calls: 0 }
  return runTrial({
    file,
    attack: attack.value,
    arm,
    trial,
    run: async (which) => {
      const options = await prepared.run(which)
      const mcpVersion = options.mcpVersion ?? preflight?.mcpVersion
      const { strict } = campaign.plan
      const attackOptions = { ...options, ...(mcpVersion !== undefined && { mcpVersion }), ...(strict && { strict }) }
      return withPreflight(attackOptions, preflight?.result)
    },
    openTrace: (header) => ledger.openTrace(run, header),
    evaluators: { cel: createCelEvaluator(), ...(prepared.judge && { semantic: prepared.judge.evaluator }) },
    redactor: prepared.redactor,
    // Stopping the worker does not abort attacks in progress; their results count.
    signal: new AbortController().signal,
    retries: campaign.plan.retries ?? 0,
    mayRetry: () => hasBudget(database, campaign.name, used),
    onCall: usageCounter(used),
  })
}

async function hasBudget(database: Database, name: string, used: Spent): Promise<boolean> {
  const [now] = await readCampaigns(database, name)
  if (now?.state !== 'open') return false
  const { tokens = Infinity, calls = Infinity } = now.plan.budget ?? {}
  return now.tokens + used.tokens < tokens && now.calls + used.calls < calls
}
