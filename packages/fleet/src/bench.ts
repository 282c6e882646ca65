/** What a worker has ready to attack a target with. */
import type {
  Agreements,
  CallUsage,
  Ledger,
  Redactor,
  ResultTarget,
  RunOptions,
  SuiteAttack,
  SuiteJudge,
  SuiteRun,
} from '@joust/arena'
import { type LoadedAttack, load } from '@joust/oatf'
import { err, ok, type Result } from '@joust/source'
import type { CampaignTarget } from './campaign.ts'
import { type CampaignRow, readAttacks, readCampaigns, readTargets } from './campaigns.ts'
import type { Database } from './database.ts'
import { messageOf } from './errors.ts'
import { createPostgresLedger } from './ledger.ts'
import type { Offer } from './offers.ts'
import { bookSpent, type Opening } from './opening.ts'

/** A target that this machine can attack. */
export interface PreparedTarget {
  readonly redactor: Redactor
  /** Why the target is not controlled first, for the results. */
  readonly skipControl?: string
  /** What judges semantic indicators. */
  readonly judge?: PreparedJudge
  /** The options of one run; called for each, and for each time that it is made again. */
  run(run: PreparedRun): RunOptions | Promise<RunOptions>
  close?(): Promise<void>
}

/** One run, before it begins. */
export type PreparedRun = SuiteRun

/** What judges semantic indicators on this machine. */
export interface PreparedJudge extends Pick<SuiteJudge, 'evaluator'> {
  readonly about: NonNullable<ResultTarget['judge']>
  /** How far it agrees with the examples of documents; asks the model for each of them. */
  agreements(attacks: readonly SuiteAttack[]): Promise<Agreements>
}

/** Makes a target ready, or says why this machine cannot attack it. `spend` counts model calls outside the runs. */
export type Prepare = (
  target: CampaignTarget,
  campaign: CampaignRow,
  spend: (usage: CallUsage) => void,
) => Promise<Result<PreparedTarget, string>>

/** A target that this worker can attack, and what it needs for that. */
export interface Bench {
  readonly prepared: PreparedTarget
  attacks: ReadonlyMap<string, SuiteAttack>
  readonly campaign: CampaignRow
  readonly ledger: Ledger
  /** What has to be known before its runs, once it is. */
  opening?: Opening
  /** Set while this worker finds that out. */
  opener: Promise<void> | undefined
  /** What models took beside the runs, and is not in the books yet. */
  spent: { tokens: number; calls: number }
  /** How much is under way. */
  busy: number
  /** Whether a run was handed out since the queue was last filled up. */
  fed: boolean
  filled: number
}

/** Opens a bench; a sentence when this machine cannot attack the target, undefined when it is gone. */
export async function openBench(
  database: Database,
  { campaign: name, target: targetName }: Offer,
  worker: string,
  prepare: Prepare,
): Promise<Result<Bench, string> | undefined> {
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
  // A full disk, say: others may have room.
  const prepared = await prepare(target, campaign, spend).catch((thrown: unknown) => err(messageOf(thrown)))
  if (!prepared.ok) return prepared
  const ledger = createPostgresLedger(database, name, { worker })
  const counts = { busy: 0, fed: false, filled: Date.now() }
  return ok({
    prepared: prepared.value,
    attacks: attacks.read,
    campaign,
    ledger,
    opener: undefined,
    spent,
    ...counts,
  })
}

/** The document of a run; undefined when this version reads it differently. Documents may have been added since. */
export async function attackOf(
  database: Database,
  bench: Bench,
  { file, fingerprint }: { readonly file: string; readonly fingerprint: string },
): Promise<LoadedAttack | undefined> {
  const key = attackKey(file, fingerprint)
  if (!bench.attacks.has(key)) bench.attacks = (await loadAttacks(database, bench.campaign)).read
  return bench.attacks.get(key)?.attack
}

async function loadAttacks(database: Database, { name, plan }: CampaignRow) {
  const read = new Map<string, SuiteAttack>()
  const unlike: string[] = []
  for (const { file, text, fingerprint } of await readAttacks(database, name)) {
    const loaded = load(text, { strict: plan.strict })
    if (loaded.ok && loaded.value.fingerprint === fingerprint)
      read.set(attackKey(file, fingerprint), { file, attack: loaded.value })
    else unlike.push(file)
  }
  return { read, unlike }
}

function attackKey(file: string, fingerprint: string): string {
  return JSON.stringify([file, fingerprint])
}

/** Enters what models took beside the runs. */
export async function settleSpent(database: Database, { spent, campaign }: Bench): Promise<void> {
  const { tokens, calls } = spent
  if (calls === 0) return
  spent.tokens -= tokens
  spent.calls -= calls
  await bookSpent(database, campaign.name, { tokens, calls })
}
