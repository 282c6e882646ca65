/** Targets of a worker, prepared on this machine with their documents and ledger, or refused. */

import type { CallUsage } from '@joust/arena'
import { type LoadedAttack, placeboOf } from '@joust/oatf'
import type { ResultPreflight, ResultTarget } from '@joust/results'
import { err, messageOf, ok, type Result } from '@joust/source'
import {
  type Agreements,
  type Ledger,
  type RunKey,
  type SuiteAttack,
  type SuiteJudge,
  type SuiteOptions,
  wantedRuns,
} from '@joust/trials'
import { type CampaignTarget, type TargetPreflight, trialPlanOf } from './campaign.ts'
import { attackKey, type CampaignRow, loadAttacks, readCampaigns, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { createPostgresLedger, type Growth, type LedgerOptions } from './ledger.ts'
import { fleetLimits } from './limits.ts'
import type { PendingTarget, TargetKey } from './pending-targets.ts'
import type { FleetQueue } from './queue.ts'

/** A target that this machine can attack, with the options of its runs. */
export interface LocalTarget
  extends Required<Pick<SuiteOptions, 'run' | 'redactor'>>,
    Pick<SuiteOptions, 'skipPreflight'> {
  readonly judge?: LocalJudge
  close?(): Promise<void>
}

/** The semantic judge on this machine. */
export interface LocalJudge extends Pick<SuiteJudge, 'evaluator'> {
  readonly about: NonNullable<ResultTarget['judge']>
  /** Measures the judge's agreement with the examples in documents. This takes one model call per example. */
  agreements(attacks: readonly SuiteAttack[]): Promise<Agreements>
}

/** Options for a worker; see {@link openFleet}. */
export interface WorkOptions {
  /** Worker name in the ledger. */
  readonly name: string
  readonly concurrency: number
  /**
   * Prepares a target. The error says why this machine cannot attack it; its runs are then left to other workers.
   * `spend` counts model calls outside of runs.
   */
  readonly prepare: (
    target: CampaignTarget,
    campaign: CampaignRow,
    spend: (usage: CallUsage) => void,
  ) => Promise<Result<LocalTarget, string>>
  /** When aborted, the worker takes no more runs, but finishes those in progress. */
  readonly signal: AbortSignal
  /** Stops the worker once it cannot attack any pending target. @default false */
  readonly drain?: boolean
  /** Milliseconds until a lease expires. @default 30_000 */
  readonly leaseMs?: number
  /** Called with messages about transient errors. @default none */
  readonly tell?: (message: string) => void
  /** Called with the outcome of each preflight of this worker. @default none */
  readonly onPreflight?: (target: TargetKey, preflight: ResultPreflight) => void
}

export interface Worker extends Required<WorkOptions> {
  readonly database: Database
  readonly queue: FleetQueue
  /** Called with the trace of each run at its start. */
  readonly onTrace: LedgerOptions['onTrace']
  /** Prepared targets by id. */
  readonly targets: Map<string, WorkerTarget>
  /** Refused targets by id. Retried after a while, because the cause (such as a full disk) may be temporary. */
  readonly refusals: Map<string, { readonly reason: string; readonly until: number }>
}

type Placebo = Result<LoadedAttack, string>

export interface WorkerTarget {
  readonly prepared: LocalTarget
  attacks: ReadonlyMap<string, SuiteAttack>
  /** Cached placebos by `attackKey`. */
  readonly placebos: Map<string, Placebo>
  readonly campaign: CampaignRow
  readonly ledger: Ledger
  /** The preflight. Null until it is recorded. */
  preflight: TargetPreflight | null
  /** The preflight in progress. Present while this worker runs the preflight. */
  preflightRun?: Promise<void> | undefined
  /** Unrecorded model usage outside of runs. */
  readonly spent: Spent
  /** Number of runs and preflights in progress. */
  busy: number
  /** True if a run was leased since the queue was last filled. */
  fed: boolean
  filled: number
}

export interface Spent {
  tokens: number
  calls: number
}

/** Returns a callback that adds each model call to `spent`. */
export function usageCounter(spent: Spent): (usage: CallUsage) => void {
  return ({ inputTokens, outputTokens }) => {
    spent.calls += 1
    spent.tokens += inputTokens + outputTokens
  }
}

/** Returns the prepared target; undefined, with a recorded refusal, if this worker cannot attack it. */
export async function workerTargetFor(worker: Worker, target: PendingTarget): Promise<WorkerTarget | undefined> {
  const { database, name, tell, targets, refusals } = worker
  const existing = targets.get(target.id)
  const refusal = refusals.get(target.id)
  if (existing !== undefined || (refusal !== undefined && performance.now() < refusal.until)) return existing
  const result = await openWorkerTarget(worker, target)
  if (result?.ok) {
    targets.set(target.id, result.value)
    if (refusals.delete(target.id)) await deleteRefusal(database, target, name)
    return result.value
  }
  const reason = result?.error ?? ''
  refusals.set(target.id, { reason, until: performance.now() + fleetLimits.refusalMs })
  if (reason === '' || reason === refusal?.reason) return undefined
  tell(`campaign ${target.campaign}: this worker cannot attack ${target.target}: ${reason}`)
  await insertRefusal(database, target, name, reason)
  return undefined
}

export async function closeUnusedTargets(
  { targets, refusals }: Worker,
  pending: readonly PendingTarget[],
): Promise<void> {
  const pendingIds = new Set(pending.map(({ id }) => id))
  for (const id of refusals.keys()) if (!pendingIds.has(id)) refusals.delete(id)
  for (const [id, own] of targets) {
    if (pendingIds.has(id) || own.busy > 0) continue
    targets.delete(id)
    await own.prepared.close?.()
  }
}

/** Prepares a target. Returns undefined if the target has been deleted. */
async function openWorkerTarget(
  { database, queue, name: worker, prepare, onTrace }: Worker,
  { campaign: name, target: targetName }: PendingTarget,
): Promise<Result<WorkerTarget, string> | undefined> {
  const [campaign] = await readCampaigns(database, name)
  const [target] = await readTargets(database, name, targetName)
  if (campaign === undefined || target === undefined) return undefined
  const { attacks, mismatch } = await loadAttacks(database, campaign)
  if (mismatch !== undefined)
    return err(`this version of joust reads ${mismatch} differently: use the version that submitted the campaign`)
  const spent = { tokens: 0, calls: 0 }
  // `prepare` fails on a full disk, for example; another worker may have space.
  const prepared = await prepare(target.data, campaign, usageCounter(spent)).catch((thrown) => err(messageOf(thrown)))
  if (!prepared.ok) return prepared
  const own = { prepared: prepared.value, attacks, campaign, spent, preflight: target.preflight }
  const state = { ...own, placebos: new Map(), busy: 0, fed: false, filled: Date.now() }
  const growth = growthOf(queue, state)
  return ok(Object.assign(state, { ledger: createPostgresLedger(database, name, { worker, onTrace, growth }) }))
}

/** Returns undefined if the plan of the campaign is fixed. */
function growthOf(queue: FleetQueue, own: PlannedTarget): Growth | undefined {
  const plan = trialPlanOf(own.campaign.plan)
  if (plan.arms === 'none' && typeof plan.trials === 'number') return undefined
  return {
    wanted: ({ arm: _, trial: __, ...attack }, results) =>
      wantedRuns(plan, attack, results, () => placeboIn(own, attack)?.ok === true),
    onAdded: queue.add,
  }
}

type PlannedTarget = Pick<WorkerTarget, 'attacks' | 'campaign' | 'placebos'>

/** Returns the cached placebo of an attack, or undefined if the attack is unknown. */
function placeboIn(own: PlannedTarget, run: Pick<RunKey, 'file' | 'fingerprint'>): Placebo | undefined {
  const key = attackKey(run)
  const attack = own.attacks.get(key)?.attack
  const cached = own.placebos.get(key)
  if (cached !== undefined || attack === undefined) return cached
  const placebo = placeboOf(attack, { strict: own.campaign.plan.strict })
  own.placebos.set(key, placebo)
  return placebo
}

/** Records a worker's refusal of a target, so that the status can explain why its runs wait. */
async function insertRefusal(
  database: Database,
  { campaign, target }: TargetKey,
  worker: string,
  reason: string,
): Promise<void> {
  await database.query(
    `insert into joust.refusal (campaign, target, worker, reason)
       select campaign, name, $3, $4 from joust.target where campaign = $1 and name = $2
       on conflict (campaign, target, worker) do update set reason = excluded.reason, told = clock_timestamp()`,
    // PostgreSQL text cannot contain NUL.
    [campaign, target, worker, reason.replaceAll('\0', '\ufffd')],
  )
}

async function deleteRefusal(database: Database, { campaign, target }: TargetKey, worker: string): Promise<void> {
  const values = [campaign, target, worker]
  await database.query('delete from joust.refusal where campaign = $1 and target = $2 and worker = $3', values)
}

/** Returns the document of a run, or the reason why there is none. Reloads the documents if the document is unknown. */
export async function attackOf(database: Database, own: WorkerTarget, run: RunKey): Promise<Placebo> {
  const key = attackKey(run)
  if (!own.attacks.has(key)) own.attacks = (await loadAttacks(database, own.campaign)).attacks
  const attack = own.attacks.get(key)?.attack
  const loaded = run.arm === 'placebo' ? placeboIn(own, run) : attack && ok(attack)
  return loaded ?? err("the worker's version of joust reads the document differently")
}

export async function recordSpent(database: Database, { spent, campaign }: WorkerTarget): Promise<void> {
  const { tokens, calls } = spent
  if (calls === 0) return
  spent.tokens -= tokens
  spent.calls -= calls
  const values = [campaign.name, tokens, calls]
  await database.query('update joust.campaign set tokens = tokens + $2, calls = calls + $3 where name = $1', values)
}
