/** A target as one worker sees it: prepared on this machine, with its documents and its books; or left to others. */
import type {
  Agreements,
  AttackOptions,
  CallUsage,
  Ledger,
  Redactor,
  ResultControl,
  ResultTarget,
  RunKey,
  SuiteAttack,
  SuiteJudge,
  SuiteRun,
} from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import { err, messageOf, ok, type Result } from '@joust/source'
import type { CampaignTarget, TargetControl } from './campaign.ts'
import { attackKey, type CampaignRow, loadAttacks, readCampaigns, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { createPostgresLedger, type LedgerOptions } from './ledger.ts'
import { fleetLimits } from './limits.ts'
import type { PendingTarget, TargetKey } from './pending-targets.ts'
import type { FleetQueue } from './queue.ts'

/** A target that this machine can attack. */
export interface PreparedTarget {
  readonly redactor: Redactor
  /** Why the target is not controlled first, for the results. */
  readonly skipControl?: string
  /** What judges semantic indicators. */
  readonly judge?: PreparedJudge
  /** The options of one run; called for each run, and for each repetition of it. */
  run(run: SuiteRun): AttackOptions | Promise<AttackOptions>
  close?(): Promise<void>
}

/** What judges semantic indicators on this machine. */
export interface PreparedJudge extends Pick<SuiteJudge, 'evaluator'> {
  readonly about: NonNullable<ResultTarget['judge']>
  /** How far it agrees with the examples of documents; asks the model about each of them. */
  agreements(attacks: readonly SuiteAttack[]): Promise<Agreements>
}

/** How a worker works. */
export interface WorkOptions {
  /** The name of this worker in the books. */
  readonly name: string
  readonly concurrency: number
  /**
   * Prepares a target, or says why this machine cannot attack it: then its runs are left to others. `spend` counts
   * model calls outside the runs.
   */
  readonly prepare: (
    target: CampaignTarget,
    campaign: CampaignRow,
    spend: (usage: CallUsage) => void,
  ) => Promise<Result<PreparedTarget, string>>
  /** Stops taking runs; those under way are finished. */
  readonly signal: AbortSignal
  /** Ends when nothing is left that this worker can do. */
  readonly drain?: boolean
  readonly leaseMs?: number
  readonly tell?: (message: string) => void
  /** Called with the outcome of a control that this worker has made. */
  readonly onControl?: (target: TargetKey, control: ResultControl) => void
}

/** A worker at work. */
export interface Worker extends Required<WorkOptions> {
  readonly database: Database
  readonly queue: FleetQueue
  /** Called with the trace of each run when the run begins. */
  readonly onTrace: LedgerOptions['onTrace']
  /** The targets that it has prepared, by their ids. */
  readonly targets: Map<string, WorkerTarget>
  /** Those that it leaves to others until it checks again: a disk, for example, may have room again later. */
  readonly left: Map<string, { readonly why: string; readonly until: number }>
}

/** A target that this worker can attack, and what it needs for that. */
export interface WorkerTarget {
  readonly prepared: PreparedTarget
  attacks: ReadonlyMap<string, SuiteAttack>
  readonly campaign: CampaignRow
  readonly ledger: Ledger
  /** What has to be known before its runs, once it is known. */
  control: TargetControl | null
  /** Set while this worker makes the control. */
  controlling?: Promise<void> | undefined
  /** What models used besides the runs, and is not in the books yet. */
  readonly spent: Spent
  /** How many runs and controls are under way. */
  busy: number
  /** Whether a run was handed out since the queue was last filled up. */
  fed: boolean
  filled: number
}

/** What models used. */
export interface Spent {
  tokens: number
  calls: number
}

/** Adds each call of a model to what was spent. */
export function countInto(spent: Spent): (usage: CallUsage) => void {
  return ({ inputTokens, outputTokens }) => {
    spent.calls += 1
    spent.tokens += inputTokens + outputTokens
  }
}

/** A target as this worker has it; undefined while it leaves it to others, which the books also know. */
export async function workerTargetFor(worker: Worker, target: PendingTarget): Promise<WorkerTarget | undefined> {
  const { database, name, tell, targets, left } = worker
  const known = targets.get(target.id)
  const refused = left.get(target.id)
  if (known !== undefined || (refused !== undefined && performance.now() < refused.until)) return known
  const opened = await openWorkerTarget(worker, target)
  if (opened?.ok) {
    targets.set(target.id, opened.value)
    if (left.delete(target.id)) await dropRefusal(database, target, name)
    return opened.value
  }
  const why = opened?.error ?? ''
  left.set(target.id, { why, until: performance.now() + fleetLimits.leftMs })
  if (why === '' || why === refused?.why) return undefined
  tell(`campaign ${target.campaign}: ${target.target} is left to other workers: ${why}`)
  await noteRefusal(database, target, name, why)
  return undefined
}

/** Closes what is neither pending nor in use any more. */
export async function tidyTargets({ targets, left }: Worker, pending: readonly PendingTarget[]): Promise<void> {
  const wanted = new Set(pending.map(({ id }) => id))
  for (const id of left.keys()) if (!wanted.has(id)) left.delete(id)
  for (const [id, own] of targets) {
    if (wanted.has(id) || own.busy > 0) continue
    targets.delete(id)
    await own.prepared.close?.()
  }
}

/** Prepares a target; a sentence when this machine cannot attack it, undefined when it is gone. */
async function openWorkerTarget(
  { database, name: worker, prepare, onTrace }: Worker,
  { campaign: name, target: targetName }: PendingTarget,
): Promise<Result<WorkerTarget, string> | undefined> {
  const [campaign] = await readCampaigns(database, name)
  const [target] = await readTargets(database, name, targetName)
  if (campaign === undefined || target === undefined) return undefined
  const { read: attacks, unlike } = await loadAttacks(database, campaign)
  if (unlike !== undefined)
    return err(`${unlike} is read differently here: this is another version of joust than the one that submitted it`)
  const spent = { tokens: 0, calls: 0 }
  // For example a full disk: others may have room.
  const prepared = await prepare(target.data, campaign, countInto(spent)).catch((thrown) => err(messageOf(thrown)))
  if (!prepared.ok) return prepared
  const ledger = createPostgresLedger(database, name, { worker, onTrace })
  const own = { prepared: prepared.value, attacks, campaign, ledger, spent, control: target.control }
  return ok({ ...own, busy: 0, fed: false, filled: Date.now() })
}

/** Notes that a worker leaves a target to others: when nobody is left to take it, whoever waits must know. */
async function noteRefusal(
  database: Database,
  { campaign, target }: TargetKey,
  worker: string,
  reason: string,
): Promise<void> {
  await database.query(
    `insert into joust.refusal (campaign, target, worker, reason)
       select campaign, name, $3, $4 from joust.target where campaign = $1 and name = $2
       on conflict (campaign, target, worker) do update set reason = excluded.reason, told = clock_timestamp()`,
    // PostgreSQL texts cannot hold NUL.
    [campaign, target, worker, reason.replaceAll('\0', '\ufffd')],
  )
}

/** Notes that a worker can attack it after all. */
async function dropRefusal(database: Database, { campaign, target }: TargetKey, worker: string): Promise<void> {
  const values = [campaign, target, worker]
  await database.query('delete from joust.refusal where campaign = $1 and target = $2 and worker = $3', values)
}

/** The document of a run; undefined when this version reads it differently. Documents may have been added since. */
export async function attackOf(database: Database, own: WorkerTarget, run: RunKey): Promise<LoadedAttack | undefined> {
  const key = attackKey(run)
  if (!own.attacks.has(key)) own.attacks = (await loadAttacks(database, own.campaign)).read
  return own.attacks.get(key)?.attack
}

/** Enters what models used besides the runs. */
export async function settleSpent(database: Database, { spent, campaign }: WorkerTarget): Promise<void> {
  const { tokens, calls } = spent
  if (calls === 0) return
  spent.tokens -= tokens
  spent.calls -= calls
  const values = [campaign.name, tokens, calls]
  await database.query('update joust.campaign set tokens = tokens + $2, calls = calls + $3 where name = $1', values)
}
