/** Pending targets, which are targets in open campaigns that have runs without a result. */
import { sha256 } from '@joust/io'
import type { Database } from './database.ts'

export interface TargetKey {
  readonly campaign: string
  readonly target: string
}

export interface PendingTarget extends TargetKey {
  /** A unique id, which differs from that of a deleted target with the same name. */
  readonly id: string
  /** True once the preflight of the target is recorded. */
  readonly hasPreflight: boolean
  /** True until the preflight of the target has passed. */
  readonly isHeld?: true
}

/** SQL condition for an exhausted budget of campaign `c`. Null if the campaign has no budget. */
export const OVER_BUDGET = `c.tokens >= (c.plan #>> '{budget,tokens}')::bigint
  or c.calls >= (c.plan #>> '{budget,calls}')::bigint
  or clock_timestamp() >= c.created + (c.plan #>> '{budget,milliseconds}')::double precision * interval '1 millisecond'`

export async function stopOverBudget({ pool }: Database): Promise<void> {
  await pool.query(`update joust.campaign c set state = 'stopped' where state = 'open' and (${OVER_BUDGET})`)
}

/** Reads the pending targets, and the difference in milliseconds between the local clock and the database clock. */
export async function readPending({ pool }: Database) {
  const start = Date.now()
  const { rows: clock } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  )
  // The database read its clock at some time between the two local times.
  const ahead = (start + Date.now()) / 2 - (clock[0]?.now ?? start)
  const { rows: targets } = await pool.query<PendingTarget>(
    `select c.name as campaign, t.name as target, jsonb_build_array(c.name, t.name, c.created)::text as id,
       t.preflight is not null as "hasPreflight"
     from joust.campaign c join joust.target t on t.campaign = c.name
     where c.state = 'open' and exists (
       select 1 from joust.run r where r.campaign = c.name and r.target = t.name and r.outcome is null)
     order by c.created, t.name`,
  )
  return { targets, ahead }
}

/** Returns a target's queue name: a hash, because campaign and target names may contain any character. */
export function queueName({ campaign, target }: TargetKey): string {
  return `joust-${sha256(JSON.stringify([campaign, target]), 32)}`
}
