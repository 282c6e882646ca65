/** Campaigns in the database: submitted, read, stopped, deleted. */
import { type RunKey, repeatedName, type SuiteAttack } from '@joust/arena'
import { load } from '@joust/oatf'
import { fingerprint } from '@joust/source'
import type { PoolClient } from 'pg'
import type {
  CampaignAttack,
  CampaignPlan,
  CampaignSpec,
  CampaignState,
  CampaignTarget,
  TargetControl,
} from './campaign.ts'
import { type Database, inTransaction } from './database.ts'
import { FleetError } from './errors.ts'
import { RUN_KEY, runKeyValues } from './ledger.ts'
import { fleetLimits } from './limits.ts'
import { OVER_BUDGET } from './pending-targets.ts'

/** A campaign as a row of its table. */
export interface CampaignRow {
  readonly name: string
  readonly created: Date
  readonly plan: CampaignPlan
  readonly state: CampaignState
  readonly tokens: number
  readonly calls: number
}

interface TargetRow {
  readonly data: CampaignTarget
  readonly control: TargetControl | null
}

/**
 * Enters a campaign with its targets and attacks. One of the same name must have the same plan, and targets of the same
 * name the same content.
 */
export async function enterCampaign(database: Database, spec: CampaignSpec): Promise<void> {
  await database.retry((pool) => inTransaction(pool, (client) => enter(client, spec)))
}

async function enter(client: PoolClient, { name, plan, targets, attacks }: CampaignSpec): Promise<void> {
  const repeated = repeatedName(attacks)
  if (repeated !== undefined) throw new FleetError('campaign_unlike', repeated)
  // Where there is one already, the update that changes nothing locks it and returns it.
  const { rows } = await client.query<{ same: boolean; state: CampaignState }>(
    `insert into joust.campaign as known (name, plan) values ($1, $2)
     on conflict (name) do update set name = known.name returning plan = $2::jsonb as same, state`,
    [name, JSON.stringify(plan)],
  )
  const [found] = rows
  if (found?.same !== true)
    throw unlike(name, 'was submitted with other options: trials, budget, concurrency, retries, redaction or --strict')
  if (found.state !== 'open') throw unlike(name, `is ${found.state}`)
  for (const target of targets) await enterTarget(client, name, target)
  await client.query(
    `insert into joust.attack (campaign, file, fingerprint, text, severity)
     select $1, * from jsonb_to_recordset($2::jsonb) as given(file text, fingerprint text, text text, severity text)
     on conflict do nothing`,
    [name, JSON.stringify(attacks)],
  )
}

async function enterTarget(client: PoolClient, campaign: string, target: CampaignTarget): Promise<void> {
  const data = JSON.stringify(target)
  if (data.length > fleetLimits.targetCharacters) {
    const most = `the limit targetCharacters is ${fleetLimits.targetCharacters}`
    throw new FleetError('campaign_unlike', `${target.name} and its files have ${data.length} characters; ${most}`)
  }
  const { rows } = await client.query<{ same: boolean }>(
    `insert into joust.target as known (campaign, name, fingerprint, data) values ($1, $2, $3, $4)
     on conflict (campaign, name) do update set name = known.name returning fingerprint = $3 as same`,
    [campaign, target.name, fingerprint(data), data],
  )
  if (rows[0]?.same !== true)
    throw unlike(campaign, `attacks another ${target.name}: its files or options have changed`)
}

function unlike(name: string, how: string): FleetError {
  const message = `the campaign ${JSON.stringify(name)} already exists and ${how}; give another --name, or delete it first`
  return new FleetError('campaign_unlike', message)
}

/** All campaigns, the newest first, or only the one with a given name. A used-up budget counts before it is noted. */
export async function readCampaigns(database: Database, name?: string): Promise<readonly CampaignRow[]> {
  const { rows } = await database.query<CampaignRow>(
    `select name, created, plan, case when state = 'open' and (${OVER_BUDGET}) then 'stopped' else state end as state, tokens::float8 as tokens, calls::float8 as calls
       from joust.campaign c where $1::text is null or name = $1 order by created desc`,
    [name ?? null],
  )
  return rows
}

/** The targets of a campaign, or only the one with a given name; each with its control, once there is one. */
export async function readTargets(database: Database, campaign: string, name?: string): Promise<readonly TargetRow[]> {
  const { rows } = await database.query<TargetRow>(
    `select data, control from joust.target where campaign = $1 and ($2::text is null or name = $2) order by name`,
    [campaign, name ?? null],
  )
  return rows
}

/** The name of the attack of a run `r` in results: its file, with its fingerprint where the file has several versions. */
export const ATTACK_NAME = `case when
  (select count(*) from joust.attack v where v.campaign = r.campaign and v.file = r.file) > 1
  then r.file || '@' || left(r.fingerprint, 16) else r.file end`

/** The documents of a campaign by key, and the name of the first that this version reads differently. */
export async function loadAttacks(database: Database, { name, plan }: Pick<CampaignRow, 'name' | 'plan'>) {
  const { rows } = await database.query<CampaignAttack & { name: string }>(
    `select file, fingerprint, text, ${ATTACK_NAME} as name from joust.attack r where campaign = $1
       order by file, fingerprint`,
    [name],
  )
  const read = new Map<string, SuiteAttack>()
  let unlike: string | undefined
  for (const { file, fingerprint, text, name } of rows) {
    const loaded = load(text, { strict: plan.strict })
    if (loaded.ok && loaded.value.fingerprint === fingerprint)
      read.set(attackKey({ file, fingerprint }), { file: name, attack: loaded.value })
    else unlike ??= file
  }
  return { read, unlike }
}

/** Identifies a document: a campaign may have several versions of a file. */
export function attackKey({ file, fingerprint }: Pick<RunKey, 'file' | 'fingerprint'>): string {
  return JSON.stringify([file, fingerprint])
}

/** Hands out no more runs of a campaign; false when there is no open one with that name. */
export async function cancelCampaign(database: Database, name: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update joust.campaign set state = 'cancelled' where name = $1 and state = 'open'`,
    [name],
  )
  return rowCount === 1
}

/** Deletes a campaign with all of its results; false when there is none. */
export async function deleteCampaign(database: Database, name: string): Promise<boolean> {
  const { rowCount } = await database.query('delete from joust.campaign where name = $1', [name])
  return rowCount === 1
}

/** Deletes the traces of results that are older than this; the results stay. Returns how many there were. */
export async function deleteTraces(database: Database, name: string, olderThanMs: number): Promise<number> {
  const { rowCount } = await database.query(
    `update joust.run set trace = null where campaign = $1 and trace is not null
       and finished < clock_timestamp() - $2::double precision * interval '1 millisecond'`,
    [name, olderThanMs],
  )
  return rowCount ?? 0
}

/** The runs of a target without a result. */
export async function openRuns(database: Database, campaign: string, target: string): Promise<readonly RunKey[]> {
  const { rows } = await database.query<RunKey>(
    `select campaign, target, file, trial, fingerprint from joust.run
       where campaign = $1 and target = $2 and outcome is null`,
    [campaign, target],
  )
  return rows
}

const LEASE = `lease = clock_timestamp() + $7::double precision * interval '1 millisecond'`
const OPEN_RUN = `r.outcome is null and ${RUN_KEY}`

/** Notes that a worker has a run, and for how long unless it renews that. False when it no longer has to be done. */
export async function takeLease(database: Database, run: RunKey, worker: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await database.query(
    `update joust.run r set worker = $6, ${LEASE} from joust.campaign c
       where c.name = r.campaign and c.state = 'open' and (${OVER_BUDGET}) is not true and ${OPEN_RUN}`,
    [...runKeyValues(run), worker, leaseMs],
  )
  return rowCount === 1
}

/** Renews a lease; what is under way is finished, whatever has become of the campaign. */
export async function renewLease({ pool }: Database, run: RunKey, worker: string, leaseMs: number): Promise<void> {
  const values = [...runKeyValues(run), worker, leaseMs]
  await pool.query(`update joust.run r set ${LEASE} where worker = $6 and ${OPEN_RUN}`, values)
}
