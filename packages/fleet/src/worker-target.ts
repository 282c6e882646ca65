/** A target as one worker works on it: prepared on this machine, with its documents and its books. */
import type {
  Agreements,
  AttackOptions,
  CallUsage,
  Ledger,
  Redactor,
  ResultTarget,
  RunKey,
  SuiteAttack,
  SuiteJudge,
  SuiteRun,
} from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import { err, messageOf, ok, type Result } from '@joust/source'
import type { CampaignTarget } from './campaign.ts'
import { attackKey, type CampaignRow, loadAttacks, readCampaigns, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { createPostgresLedger, type LedgerOptions } from './ledger.ts'
import type { PendingTarget } from './pending-targets.ts'
import type { Preflight } from './preflight.ts'

/** A target that this machine can attack. */
export interface PreparedTarget {
  readonly redactor: Redactor
  /** Why the target is not controlled first, for the results. */
  readonly skipControl?: string
  /** What judges semantic indicators. */
  readonly judge?: PreparedJudge
  /** The options of one run; called for each run, and for each repetition of it. */
  run(run: PreparedRun): AttackOptions | Promise<AttackOptions>
  close?(): Promise<void>
}

/** One run, before it begins. */
export type PreparedRun = SuiteRun

/** What judges semantic indicators on this machine. */
export interface PreparedJudge extends Pick<SuiteJudge, 'evaluator'> {
  readonly about: NonNullable<ResultTarget['judge']>
  /** How far it agrees with the examples of documents; asks the model about each of them. */
  agreements(attacks: readonly SuiteAttack[]): Promise<Agreements>
}

/** Prepares a target, or says why this machine cannot attack it. `spend` counts model calls outside the runs. */
export type Prepare = (
  target: CampaignTarget,
  campaign: CampaignRow,
  spend: (usage: CallUsage) => void,
) => Promise<Result<PreparedTarget, string>>

/** A target that this worker can attack, and what it needs for that. */
export interface WorkerTarget {
  readonly prepared: PreparedTarget
  attacks: ReadonlyMap<string, SuiteAttack>
  readonly campaign: CampaignRow
  readonly ledger: Ledger
  /** What has to be known before its runs, once it is known. */
  preflight: Preflight | undefined
  /** Set while this worker makes the preflight. */
  preflighting: Promise<void> | undefined
  /** What models used besides the runs, and is not in the books yet. */
  spent: { tokens: number; calls: number }
  /** How many runs and preflights are under way. */
  busy: number
  /** Whether a run was handed out since the queue was last filled up. */
  fed: boolean
  filled: number
}

interface WorkerTargetOptions {
  /** The name of this worker in the books. */
  readonly name: string
  readonly prepare: Prepare
  /** Called with the trace of each run when the run begins. */
  readonly onTrace: LedgerOptions['onTrace']
}

/** Prepares a target; a sentence when this machine cannot attack it, undefined when it is gone. */
export async function openWorkerTarget(
  database: Database,
  { campaign: name, target: targetName }: PendingTarget,
  { name: worker, prepare, onTrace }: WorkerTargetOptions,
): Promise<Result<WorkerTarget, string> | undefined> {
  const [campaign] = await readCampaigns(database, name)
  const target = (await readTargets(database, name)).find((one) => one.name === targetName)
  if (campaign === undefined || target === undefined) return undefined
  const spent = { tokens: 0, calls: 0 }
  const spend = ({ inputTokens, outputTokens }: CallUsage) => {
    spent.calls += 1
    spent.tokens += inputTokens + outputTokens
  }
  const attacks = await loadAttacks(database, campaign)
  const [strange] = attacks.unlike
  if (strange !== undefined)
    return err(`${strange} is read differently here: this is another version of joust than the one that submitted it`)
  // For example a full disk: others may have room.
  const prepared = await prepare(target, campaign, spend).catch((thrown: unknown) => err(messageOf(thrown)))
  if (!prepared.ok) return prepared
  return ok({
    prepared: prepared.value,
    attacks: attacks.read,
    campaign,
    ledger: createPostgresLedger(database, name, { worker, onTrace }),
    preflight: undefined,
    preflighting: undefined,
    spent,
    busy: 0,
    fed: false,
    filled: Date.now(),
  })
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
  await database.query('update joust.campaign set tokens = tokens + $2, calls = calls + $3 where name = $1', [
    campaign.name,
    tokens,
    calls,
  ])
}
