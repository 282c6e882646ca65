/** Database queries for campaigns. */

import { load } from '@joust/oatf'
import { fingerprint } from '@joust/source'
import { checkNames, type RunKey, type SuiteAttack } from '@joust/trials'
import type { PoolClient } from 'pg'
import type {
  CampaignAttack,
  CampaignPlan,
  CampaignSpec,
  CampaignState,
  CampaignTarget,
  TargetPreflight,
} from './campaign.ts'
import { type Database, inTransaction } from './database.ts'
import { FleetError } from './errors.ts'
import { RUN_KEY, runKeyValues } from './ledger.ts'
import { fleetLimits } from './limits.ts'
import { OVER_BUDGET } from './pending-targets.ts'

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
  readonly preflight: TargetPreflight | null
}

/** Inserts a campaign. An existing campaign must have the same options, and existing targets the same content. */
export async function insertCampaign(database: Database, spec: CampaignSpec): Promise<void> {
  await database.retry((pool) => inTransaction(pool, (client) => insert(client, spec)))
}

async function insert(client: PoolClient, { name, plan, targets, attacks }: CampaignSpec): Promise<void> {
  const names = checkNames(attacks)
  if (!names.ok) throw new FleetError('campaign_conflict', names.error)
  // The update changes nothing; it locks and returns an existing row.
  const { rows } = await client.query<{ same: boolean; state: CampaignState }>(
    `insert into joust.campaign as existing (name, plan) values ($1, $2)
     on conflict (name) do update set name = existing.name returning plan = $2::jsonb as same, state`,
    [name, JSON.stringify(plan)],
  )
  const [row] = rows
  if (row?.same !== true)
    throw conflict(name, 'with different options (trials, budget, concurrency, retries, redaction or --strict)')
  if (row.state !== 'open') throw conflict(name, `and is ${row.state}`)
  for (const target of targets) await insertTarget(client, name, target)
  await client.query(
    `insert into joust.attack (campaign, file, fingerprint, text, severity)
     select $1, * from jsonb_to_recordset($2::jsonb) as submitted(file text, fingerprint text, text text, severity text)
     on conflict do nothing`,
    [name, JSON.stringify(attacks)],
  )
  await client.query(
    `insert into joust.planned (campaign, target, file, fingerprint)
     select $1, target, file, fingerprint
       from jsonb_array_elements_text($2::jsonb) as target,
         jsonb_to_recordset($3::jsonb) as attack(file text, fingerprint text)
     on conflict do nothing`,
    [name, JSON.stringify(targets.map((target) => target.name)), JSON.stringify(attacks)],
  )
}

async function insertTarget(client: PoolClient, campaign: string, target: CampaignTarget): Promise<void> {
  const data = JSON.stringify(target)
  if (data.length > fleetLimits.targetCharacters) {
    const limit = `the limit is ${fleetLimits.targetCharacters} (targetCharacters)`
    throw new FleetError('campaign_conflict', `${target.name} and its files have ${data.length} characters; ${limit}`)
  }
  const { rows } = await client.query<{ same: boolean }>(
    `insert into joust.target as existing (campaign, name, fingerprint, data) values ($1, $2, $3, $4)
     on conflict (campaign, name) do update set name = existing.name returning fingerprint = $3 as same`,
    [campaign, target.name, fingerprint(data), data],
  )
  if (rows[0]?.same !== true) throw conflict(campaign, `with different files or options for ${target.name}`)
}

function conflict(name: string, difference: string): FleetError {
  const message = `campaign ${JSON.stringify(name)} already exists ${difference}: use another --name, or delete it first`
  return new FleetError('campaign_conflict', message)
}

/** Reads all campaigns, newest first, or only the one called `name`. Reflects an exhausted budget immediately. */
export async function readCampaigns(database: Database, name?: string): Promise<readonly CampaignRow[]> {
  const { rows } = await database.query<CampaignRow>(
    `select name, created, plan, case when state = 'open' and (${OVER_BUDGET}) then 'stopped' else state end as state, tokens::float8 as tokens, calls::float8 as calls
       from joust.campaign c where $1::text is null or name = $1 order by created desc`,
    [name ?? null],
  )
  return rows
}

/** Reads the targets of a campaign with their preflights, or only the target called `name`. */
export async function readTargets(database: Database, campaign: string, name?: string): Promise<readonly TargetRow[]> {
  const { rows } = await database.query<TargetRow>(
    `select data, preflight from joust.target where campaign = $1 and ($2::text is null or name = $2) order by name`,
    [campaign, name ?? null],
  )
  return rows
}

/** SQL for the attack name of run `r` in results: the file, plus the fingerprint if the file has several versions. */
export const ATTACK_NAME = `case when
  (select count(*) from joust.attack v where v.campaign = r.campaign and v.file = r.file) > 1
  then r.file || '@' || left(r.fingerprint, 16) else r.file end`

/** Loads the documents by `attackKey`; `mismatch` is the first file that this version reads differently. */
export async function loadAttacks(database: Database, { name, plan }: Pick<CampaignRow, 'name' | 'plan'>) {
  const { rows } = await database.query<CampaignAttack & { name: string }>(
    `select file, fingerprint, text, ${ATTACK_NAME} as name from joust.attack r where campaign = $1
       order by file, fingerprint`,
    [name],
  )
  const attacks = new Map<string, SuiteAttack>()
  let mismatch: string | undefined
  for (const { file, fingerprint, text, name } of rows) {
    const loaded = load(text, { strict: plan.strict })
    if (loaded.ok && loaded.value.fingerprint === fingerprint)
      attacks.set(attackKey({ file, fingerprint }), { file: name, attack: loaded.value })
    else mismatch ??= file
  }
  return { attacks, mismatch }
}

/** Returns the key of a document. A campaign may have several versions of a file. */
export function attackKey({ file, fingerprint }: Pick<RunKey, 'file' | 'fingerprint'>): string {
  return JSON.stringify([file, fingerprint])
}

/** Cancels a campaign. Returns false if no open campaign has that name. */
export async function cancelCampaign(database: Database, name: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update joust.campaign set state = 'cancelled' where name = $1 and state = 'open'`,
    [name],
  )
  return rowCount === 1
}

/** Deletes a campaign and its results. Returns false if no campaign has that name. */
export async function deleteCampaign(database: Database, name: string): Promise<boolean> {
  const { rowCount } = await database.query('delete from joust.campaign where name = $1', [name])
  return rowCount === 1
}

/** Deletes traces older than `olderThanMs`, but keeps the results of the runs. Returns the number of deleted traces. */
export async function deleteTraces(database: Database, name: string, olderThanMs: number): Promise<number> {
  const { rowCount } = await database.query(
    `update joust.run set trace = null where campaign = $1 and trace is not null
       and finished < clock_timestamp() - $2::double precision * interval '1 millisecond'`,
    [name, olderThanMs],
  )
  return rowCount ?? 0
}

/** Reads those runs of a target that have no result. */
export async function openRuns(database: Database, campaign: string, target: string): Promise<readonly RunKey[]> {
  const { rows } = await database.query<RunKey>(
    `select campaign, target, file, arm, trial, fingerprint from joust.run
       where campaign = $1 and target = $2 and outcome is null`,
    [campaign, target],
  )
  return rows
}

const LEASE = `lease = clock_timestamp() + $8::double precision * interval '1 millisecond'`
const OPEN_RUN = `r.outcome is null and ${RUN_KEY}`

/** Leases a run to a worker. Returns false if the run has a result, or if its campaign is not open. */
export async function takeLease(database: Database, run: RunKey, worker: string, leaseMs: number): Promise<boolean> {
  const { rowCount } = await database.query(
    `update joust.run r set worker = $7, ${LEASE} from joust.campaign c
       where c.name = r.campaign and c.state = 'open' and (${OVER_BUDGET}) is not true and ${OPEN_RUN}`,
    [...runKeyValues(run), worker, leaseMs],
  )
  return rowCount === 1
}

/** Renews a lease, even if the campaign has been closed, because runs in progress are finished. */
export async function renewLease({ pool }: Database, run: RunKey, worker: string, leaseMs: number): Promise<void> {
  const values = [...runKeyValues(run), worker, leaseMs]
  await pool.query(`update joust.run r set ${LEASE} where worker = $7 and ${OPEN_RUN}`, values)
}
